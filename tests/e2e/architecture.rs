//! Dependencies between crates, as drawn in docs/explanation/architecture.md. A forbidden dependency fails here, by name.

mod changes;
mod cycles;
mod log_events;
mod outbound;

use cargo_metadata::{DependencyKind, Metadata, MetadataCommand, Package, PackageId};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;
use voight_tests::paths::repository;

/// Crates of the workspace that each crate may depend on directly, in its shipped code.
const ARROWS: [(&str, &[&str]); 28] = [
    ("voight-domain", &[]),
    ("voight-detect", &["voight-domain"]),
    ("voight-encoding", &["voight-domain"]),
    ("voight-files", &["voight-domain"]),
    ("voight-engine", &["voight-domain", "voight-encoding"]),
    (
        "voight-embedded",
        &["voight-domain", "voight-encoding", "voight-engine"],
    ),
    ("voight-memory", &["voight-domain"]),
    ("voight-console", &["voight-domain"]),
    ("voight-outbound", &["voight-domain"]),
    ("voight-contract", &["voight-domain", "voight-support"]),
    (
        "voight-support",
        &["voight-domain", "voight-embedded", "voight-engine"],
    ),
    ("voight-browser", &[]),
    ("voight-book", &[]),
    ("voight-docs", &[]),
    ("voight-redb", &["voight-engine"]),
    ("voight-sled", &["voight-engine"]),
    ("voight-postgres", &["voight-domain", "voight-encoding"]),
    ("voight-api", &["voight-domain"]),
    (
        "voight-http",
        &[
            "voight-domain",
            "voight-api",
            "voight-browser",
            "voight-docs",
            "voight-files",
        ],
    ),
    (
        "voight",
        &[
            "voight-domain",
            "voight-detect",
            "voight-embedded",
            "voight-engine",
            "voight-redb",
            "voight-sled",
            "voight-memory",
            "voight-console",
            "voight-outbound",
            "voight-postgres",
            "voight-api",
            "voight-http",
            "voight-browser",
        ],
    ),
    (
        "voight-fuzz",
        &[
            "voight-domain",
            "voight-detect",
            "voight-embedded",
            "voight-engine",
            "voight-files",
            "voight-api",
            "voight-http",
            "voight",
        ],
    ),
    (
        "voight-bench",
        &[
            "voight-domain",
            "voight-detect",
            "voight-embedded",
            "voight-redb",
            "voight-http",
            "voight-support",
            "voight-tests",
            "voight",
        ],
    ),
    (
        "voight-detection-eval",
        &["voight-domain", "voight-detect", "voight-tests"],
    ),
    ("voight-bot-corpus", &["voight-tests"]),
    ("voight-tests", &["voight-support"]),
    (
        "xtask",
        &["voight-browser", "voight-book", "voight-support"],
    ),
    (
        "voight-examples",
        &["voight-domain", "voight-embedded", "voight-engine"],
    ),
    (
        "voight-faults",
        &[
            "voight-domain",
            "voight-embedded",
            "voight-engine",
            "voight-redb",
            "voight-sled",
            "voight-memory",
            "voight-contract",
            "voight-support",
            "voight-tests",
        ],
    ),
];

/// Packages that a crate must not reach, even indirectly.
const NEVER: [(&str, &[&str]); 10] = [
    (
        "voight-domain",
        &[
            "tokio",
            "actix-web",
            "actix-http",
            "actix-rt",
            "redb",
            "sled",
            "tokio-postgres",
            "config",
            "clap",
        ],
    ),
    (
        "voight-detect",
        &[
            "tokio",
            "actix-web",
            "actix-http",
            "actix-rt",
            "redb",
            "sled",
            "tokio-postgres",
            "config",
            "clap",
        ],
    ),
    (
        "voight-encoding",
        &["tokio", "actix-web", "redb", "sled", "tokio-postgres"],
    ),
    (
        "voight-files",
        &["tokio", "actix-web", "redb", "sled", "tokio-postgres"],
    ),
    (
        "voight-engine",
        &["tokio", "actix-web", "redb", "sled", "tokio-postgres"],
    ),
    (
        "voight-embedded",
        &["actix-web", "redb", "sled", "tokio-postgres"],
    ),
    (
        "voight-outbound",
        &["actix-web", "redb", "sled", "tokio-postgres"],
    ),
    (
        "voight-postgres",
        &["actix-web", "redb", "sled", "voight-engine"],
    ),
    (
        "voight-api",
        &[
            "tokio",
            "actix-web",
            "actix-http",
            "actix-rt",
            "redb",
            "sled",
            "tokio-postgres",
            "clap",
        ],
    ),
    (
        "voight-http",
        &["redb", "sled", "tokio-postgres", "voight-engine"],
    ),
];

/// Adapters that only the composition root names.
const ADAPTERS: [&str; 7] = [
    "voight_engine",
    "voight_embedded",
    "voight_redb",
    "voight_sled",
    "voight_memory",
    "voight_outbound",
    "voight_postgres",
];

fn metadata() -> Metadata {
    MetadataCommand::new()
        .manifest_path(repository().join("Cargo.toml"))
        .exec()
        .expect("cargo metadata describes the workspace")
}

fn ours(metadata: &Metadata) -> BTreeMap<String, &Package> {
    metadata
        .workspace_packages()
        .into_iter()
        .map(|package| (package.name.to_string(), package))
        .collect()
}

/// Returns the names of the packages that a package's shipped code reaches.
fn reaches(metadata: &Metadata, from: &PackageId) -> BTreeSet<String> {
    let nodes = &metadata.resolve.as_ref().expect("a resolved graph").nodes;
    let mut seen = BTreeSet::new();
    let mut names = BTreeSet::new();
    let mut open = vec![from.clone()];
    while let Some(id) = open.pop() {
        let Some(node) = nodes.iter().find(|node| node.id == id) else {
            continue;
        };
        for dependency in &node.deps {
            let shipped = dependency
                .dep_kinds
                .iter()
                .any(|kind| kind.kind == DependencyKind::Normal);
            if shipped && seen.insert(dependency.pkg.clone()) {
                names.insert(metadata[&dependency.pkg].name.to_string());
                open.push(dependency.pkg.clone());
            }
        }
    }
    names
}

#[test]
fn dependencies_of_crates_are_permitted() {
    let metadata = metadata();
    let packages = ours(&metadata);
    for (name, allowed) in ARROWS {
        let package = packages
            .get(name)
            .unwrap_or_else(|| panic!("{name} is in the list of arrows but not in the workspace"));
        for dependency in package
            .dependencies
            .iter()
            .filter(|d| d.kind == DependencyKind::Normal)
        {
            if packages.contains_key(&dependency.name) {
                assert!(
                    allowed.contains(&dependency.name.as_str()),
                    "{name} depends on {}, which docs/explanation/architecture.md does not allow",
                    dependency.name
                );
            }
        }
    }
}

#[test]
fn every_crate_lists_its_dependencies() {
    let listed: BTreeSet<_> = ARROWS.iter().map(|(name, _)| (*name).to_owned()).collect();
    let present: BTreeSet<_> = ours(&metadata()).into_keys().collect();
    assert_eq!(listed, present);
}

#[test]
fn pure_crates_reach_neither_runtime_nor_store() {
    let metadata = metadata();
    let packages = ours(&metadata);
    for (name, never) in NEVER {
        let reached = reaches(&metadata, &packages[name].id);
        let wrong: Vec<_> = never
            .iter()
            .filter(|banned| reached.contains(**banned))
            .collect();
        assert!(wrong.is_empty(), "{name} reaches {wrong:?}");
    }
}

#[test]
fn command_line_alone_has_no_server_and_no_store() {
    const NEVER: [&str; 7] = [
        "actix-web",
        "tokio",
        "voight-http",
        "voight-outbound",
        "redb",
        "sled",
        "tokio-postgres",
    ];
    let tree = Command::new(env!("CARGO"))
        .current_dir(repository())
        .args([
            "tree",
            "--package",
            "voight",
            "--no-default-features",
            "--features",
            "cli",
        ])
        .args(["--edges", "normal", "--prefix", "none", "--format", "{p}"])
        .output()
        .expect("cargo tree");
    assert!(
        tree.status.success(),
        "{}",
        String::from_utf8_lossy(&tree.stderr)
    );
    let tree = String::from_utf8(tree.stdout).expect("UTF-8");
    let packages: BTreeSet<_> = tree
        .lines()
        .filter_map(|line| line.split(' ').next())
        .collect();
    assert!(packages.contains("voight-api"), "{packages:?}");
    let wrong: Vec<_> = NEVER
        .into_iter()
        .filter(|name| packages.contains(name))
        .collect();
    assert!(wrong.is_empty(), "the command line reaches {wrong:?}");
}

#[test]
fn only_the_wiring_names_adapters() {
    let sources = repository().join("crates/app/src");
    let wiring = [sources.join("wiring.rs"), sources.join("wiring")];
    // Tests of the configuration run use cases on the store in memory.
    let is_test = |path: &Path| path.to_string_lossy().ends_with("_tests.rs");
    let is_free = |path: &Path| is_test(path) || wiring.iter().any(|own| path.starts_with(own));
    for path in rust_files(&sources).iter().filter(|path| !is_free(path)) {
        let text = std::fs::read_to_string(path).expect("a readable source file");
        for adapter in ADAPTERS {
            assert!(
                !text.contains(adapter),
                "{} names {adapter}; only wiring may",
                path.display()
            );
        }
    }
}

#[test]
fn document_lists_every_crate() {
    let document = std::fs::read_to_string(repository().join("docs/explanation/architecture.md"))
        .expect("docs/explanation/architecture.md");
    for (name, _) in ours(&metadata()) {
        assert!(
            document.contains(&format!("`{name}`")),
            "docs/explanation/architecture.md does not mention the crate {name}"
        );
    }
}

#[test]
fn top_level_has_only_permitted_entries() {
    const ALLOWED: [&str; 8] = [
        "Cargo.toml",
        "Cargo.lock",
        "crates",
        "docs",
        "examples",
        "tests",
        "README.md",
        "LICENSE",
    ];
    // Directories in `.gitignore` are not part of the project.
    const IGNORED: [&str; 2] = ["target", "voight-data"];
    for entry in std::fs::read_dir(repository()).expect("the repository") {
        let name = entry
            .expect("an entry")
            .file_name()
            .into_string()
            .expect("a UTF-8 name");
        let known = ALLOWED.contains(&name.as_str())
            || IGNORED.contains(&name.as_str())
            || name.starts_with('.');
        assert!(known, "{name} does not belong at the top level");
    }
}

fn rust_files(folder: &Path) -> Vec<std::path::PathBuf> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).expect("a readable folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            files.extend(rust_files(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files
}
