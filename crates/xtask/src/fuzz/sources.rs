//! Sources of the parsers that a fuzz target tries.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use voight_support::sources::TriedSources;

use crate::files;

/// Directory of the targets, with a file for each group of them.
const TARGETS: &str = "tests/fuzz/src/targets";
/// Prefix of the crates of the workspace.
const PREFIX: &str = "voight";

/// Returns the file of a target and the packages that it names.
pub(super) fn parsed_sources(target: &str, root: &Path) -> Result<TriedSources> {
    let function = format!("pub fn {target}(");
    for file in files::list(&root.join(TARGETS))? {
        let path = format!("{TARGETS}/{}", file.display());
        let text =
            fs::read_to_string(root.join(&path)).with_context(|| format!("cannot read {path}"))?;
        if text.contains(&function) {
            let packages = packages(&text).into_iter().collect();
            return Ok(TriedSources {
                packages,
                paths: vec![path],
                ..TriedSources::default()
            });
        }
    }
    anyhow::bail!("{TARGETS} has no function `{target}`")
}

/// Returns the packages whose crates a file names.
fn packages(text: &str) -> BTreeSet<String> {
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let names = text
        .split("::")
        .filter_map(|prefix| prefix.rsplit(|c: char| !is_name(c)).next());
    let crates = names.filter(|name| *name == PREFIX || name.starts_with("voight_"));
    crates.map(|name| name.replace('_', "-")).collect()
}

#[cfg(test)]
mod tests {
    use super::parsed_sources;
    use crate::fuzz::engine;
    use crate::workspace::Workspace;

    #[test]
    fn every_target_has_its_file_and_packages() {
        let workspace = Workspace::locate().unwrap();
        for target in engine::targets(&workspace).unwrap() {
            let tried_sources = parsed_sources(&target, workspace.root()).unwrap();
            assert!(
                !tried_sources.packages.is_empty() && tried_sources.paths.len() == 1,
                "{target}: {tried_sources:?}"
            );
        }
        let dump = parsed_sources("dump", workspace.root()).unwrap();
        assert!(
            dump.packages.contains(&"voight-embedded".to_owned()),
            "{dump:?}"
        );
        assert!(parsed_sources("nonsense", workspace.root()).is_err());
    }
}
