use std::fs;
use std::path::Path;

use super::{SourceDigests, SourceTree, TriedSources, without_stale_reasons};

const WORKSPACE: &str = "\
[workspace.dependencies]
voight-domain = { path = \"crates/domain\" }
voight-store = { path = \"crates/store\" }
voight-http = { path = \"crates/http\" }
voight-docs = { path = \"crates/docs\" }
voight = { path = \"crates/app\" }
# External.
engine = \"1\"
";
const LOCK: &str = "\
[[package]]
name = \"engine\"
version = \"1.0.0\"
dependencies = [
 \"pages 2.0.0\",
]

[[package]]
name = \"pages\"
version = \"2.0.0\"

[[package]]
name = \"server\"
version = \"3.0.0\"
";

/// Workspace in which the app depends on everything, and the store on the domain and an engine.
struct TestWorkspace(tempfile::TempDir);

impl TestWorkspace {
    fn new() -> Self {
        let workspace = Self(tempfile::tempdir().unwrap());
        workspace.write("Cargo.toml", WORKSPACE);
        workspace.write("Cargo.lock", LOCK);
        let manifests = [
            ("domain", ""),
            (
                "store",
                "voight-domain.workspace = true\nengine.workspace = true\n\n[dev-dependencies]\nserver = \"3\"\n",
            ),
            (
                "http",
                "voight-domain.workspace = true\nvoight-docs = { workspace = true }\nserver = \"3\"\n",
            ),
            ("docs", ""),
            (
                "app",
                "voight-http.workspace = true\nvoight-store.workspace = true\n",
            ),
        ];
        for (name, dependencies) in manifests {
            let manifest =
                format!("[package]\nname = \"{name}\"\n\n[dependencies]\n{dependencies}");
            workspace.write(&format!("crates/{name}/Cargo.toml"), &manifest);
            workspace.write(&format!("crates/{name}/src/lib.rs"), "//! Sources.");
        }
        workspace.write("tests/faults/src/harness/kill.rs", "//! Harness.");
        workspace
    }

    fn root(&self) -> &Path {
        self.0.path()
    }

    fn write(&self, path: &str, text: &str) {
        let file = self.root().join(path);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    }

    fn tree(&self) -> SourceTree {
        SourceTree::read(self.root()).unwrap()
    }

    /// Returns the reason for which a result is stale after a file has this text.
    fn reason_after(&self, digests: &SourceDigests, path: &str, text: &str) -> Option<String> {
        self.write(path, text);
        self.tree().stale_reason(digests)
    }
}

fn tried(packages: &[&str]) -> TriedSources {
    let paths = vec!["tests/faults/src/harness".to_owned()];
    TriedSources {
        packages: packages.iter().map(ToString::to_string).collect(),
        paths,
        ..TriedSources::default()
    }
}

#[test]
fn changed_source_of_a_tried_package_is_named() {
    let workspace = TestWorkspace::new();
    let digests = workspace.tree().digests(&tried(&["voight-store"]));
    let names: Vec<_> = digests.keys().map(String::as_str).collect();
    assert_eq!(
        names,
        ["tests/faults/src/harness", "voight-domain", "voight-store"]
    );
    assert_eq!(workspace.tree().stale_reason(&digests), None);
    let reason = workspace.reason_after(&digests, "crates/domain/src/new.rs", "//! New.");
    assert_eq!(reason.as_deref(), Some("`voight-domain` changed since"));
    let reason = workspace.reason_after(&digests, "tests/faults/src/harness/kill.rs", "//! Other.");
    assert_eq!(
        reason.as_deref(),
        Some("`tests/faults/src/harness`, `voight-domain` changed since")
    );
    assert_eq!(
        workspace.tree().stale_mark(&digests),
        format!(", **stale**: {}", reason.unwrap())
    );
}

#[test]
fn unrelated_sources_do_not_make_a_result_stale() {
    let workspace = TestWorkspace::new();
    let digests = workspace.tree().digests(&tried(&["voight-store"]));
    for (path, text) in [
        ("crates/http/src/lib.rs", "//! Other."),
        ("crates/store/tests/contract.rs", "//! Test."),
        ("crates/store/README.md", "Other."),
        ("crates/store/.hidden", "Other."),
        ("Cargo.lock", &LOCK.replace("3.0.0", "3.0.1")),
    ] {
        assert_eq!(workspace.reason_after(&digests, path, text), None, "{path}");
    }
    // A rewritten file with the same contents is unchanged.
    assert_eq!(
        workspace.reason_after(&digests, "crates/domain/src/lib.rs", "//! Sources."),
        None
    );
}

#[test]
fn updated_dependency_makes_its_users_stale() {
    let workspace = TestWorkspace::new();
    let digests = workspace.tree().digests(&tried(&["voight"]));
    let reason = workspace.reason_after(&digests, "Cargo.lock", &LOCK.replace("2.0.0", "2.0.1"));
    assert_eq!(reason.as_deref(), Some("`voight-store` changed since"));
}

#[test]
fn removed_source_makes_a_result_stale() {
    let workspace = TestWorkspace::new();
    let digests = workspace.tree().digests(&tried(&["voight"]));
    fs::remove_file(workspace.root().join("crates/app/src/lib.rs")).unwrap();
    fs::remove_dir_all(workspace.root().join("tests")).unwrap();
    let reason = workspace.tree().stale_reason(&digests).unwrap();
    assert_eq!(reason, "`tests/faults/src/harness`, `voight` changed since");
}

#[test]
fn excluded_and_delivered_packages_are_recorded_by_name_only() {
    let workspace = TestWorkspace::new();
    let tried_sources = TriedSources {
        except: vec!["voight-store".to_owned()],
        ..tried(&["voight"])
    };
    let digests = workspace.tree().digests(&tried_sources);
    assert!(
        !digests.contains_key("voight-store") && !digests.contains_key("voight-docs"),
        "{digests:?}"
    );
    assert!(
        workspace
            .tree()
            .digests(&tried(&["voight-docs"]))
            .contains_key("voight-docs")
    );
}

#[test]
fn result_without_digests_is_stale() {
    let reason = TestWorkspace::new()
        .tree()
        .stale_reason(&SourceDigests::new());
    assert_eq!(reason.as_deref(), Some("its sources were not recorded"));
}

#[test]
fn only_reasons_of_stale_marks_are_ignored() {
    let page =
        |reason: &str| format!("| a | 1, 2026-11-27, **stale**: {reason} | 0 |\n| b | 2 | 0 |\n");
    assert_eq!(
        without_stale_reasons(&page("`x` changed since")),
        without_stale_reasons(&page("`y`, `z` changed since"))
    );
    assert_ne!(
        without_stale_reasons(&page("`x` changed since")),
        page("").replace(", **stale**: ", "")
    );
    let end = "Measured, **stale**: `x` changed since.\nNext";
    assert_eq!(without_stale_reasons(end), "Measured, **stale**: .\nNext");
}
