//! Sources that a result of a part depends on.

use std::path::Path;

use voight_support::sources::TriedSources;

use crate::files;
use crate::test_stage::TestStage;

/// Packages of the shipped program, with the files that it delivers.
const PROGRAM: [&str; 3] = ["voight", "voight-browser", "voight-docs"];
/// Packages of the stores.
const STORES: [&str; 4] = [
    "voight-memory",
    "voight-postgres",
    "voight-redb",
    "voight-sled",
];
/// Harness of the black-box tests.
const HARNESS: &str = "tests/e2e/src";
/// Directory of the crates.
const CRATES: &str = "crates";

/// Returns the sources that a part tests, in the repository at `root`.
pub(crate) fn tested_sources(part: TestStage, root: &Path) -> TriedSources {
    let (packages, paths) = match part {
        TestStage::Setup | TestStage::Lint | TestStage::Build => (Vec::new(), Vec::new()),
        TestStage::Unit => return every_source(root),
        TestStage::Contract => (
            [&STORES[..], &["voight-contract"]].concat(),
            vec!["examples/engine-appendlog"],
        ),
        TestStage::Faults => (
            vec!["voight", "voight-contract"],
            vec![
                "tests/faults/src",
                "tests/faults/tests",
                "tests/e2e/attacks",
                "tests/e2e/faults",
                HARNESS,
            ],
        ),
        TestStage::Browser => (
            PROGRAM.to_vec(),
            vec![
                "tests/detection/bots",
                "tests/e2e/browser",
                "tests/e2e/pages",
                HARNESS,
            ],
        ),
        TestStage::Examples => (
            PROGRAM.to_vec(),
            vec!["crates/sdk", "examples", "tests/e2e/sdk", HARNESS],
        ),
        TestStage::Cluster => (
            vec!["voight"],
            vec![
                "crates/postgres/tests",
                "tests/e2e/citus",
                "tests/e2e/cluster",
                HARNESS,
            ],
        ),
        TestStage::Packages => (
            PROGRAM.to_vec(),
            vec![
                "crates/xtask/src/package",
                "examples/deploy",
                "tests/e2e/packages",
                HARNESS,
            ],
        ),
    };
    let to_strings = |names: Vec<&str>| names.into_iter().map(str::to_owned).collect();
    TriedSources {
        packages: to_strings(packages),
        paths: to_strings(paths),
        ..TriedSources::default()
    }
}

/// Returns every crate and every directory of tests by its path, so that a mark names the one that changed.
fn every_source(root: &Path) -> TriedSources {
    let crates = files::directories(&root.join(CRATES))
        .into_iter()
        .map(|name| format!("{CRATES}/{name}"));
    let other_paths = ["Cargo.lock", "Cargo.toml", "examples", "tests"].map(str::to_owned);
    TriedSources {
        paths: crates.chain(other_paths).collect(),
        ..TriedSources::default()
    }
}

#[cfg(test)]
mod tests {
    use voight_support::sources::SourceTree;

    use super::tested_sources;
    use crate::test_stage::TestStage;
    use crate::workspace::Workspace;

    #[test]
    fn sources_of_a_part_exist_and_have_digests() {
        let workspace = Workspace::locate().unwrap();
        let tree = SourceTree::read(workspace.root()).unwrap();
        for part in TestStage::TESTS {
            let tried_sources = tested_sources(part, workspace.root());
            for name in tried_sources.packages.iter().chain(&tried_sources.paths) {
                let digests = tree.digests(&tried_sources);
                assert!(
                    digests.get(name).is_some_and(|digest| !digest.is_empty()),
                    "{part}: {name}"
                );
            }
        }
    }
}
