//! Sources that each scenario tries, by which a published result is marked as stale.

use crate::harness::Backend;
use voight_tests::results::TriedSources;

/// Program that a scenario breaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tried {
    /// Embedded store on the backend.
    Store,
    /// Embedded stores on every backend, between which records are copied.
    EveryStore,
    /// Binary under test with a store on the backend.
    Server,
    /// Binary under test with every store, between which it copies.
    ServerWithEveryStore,
}

/// Sources of the scenarios themselves.
const SCENARIO_SOURCES: [&str; 2] = ["tests/faults/src/harness", "tests/faults/src/scenarios"];
/// Implementation of the ports over the engine of a backend.
const PORTS: &str = "voight-embedded";
/// Binary under test.
const SERVER: &str = "voight";
/// Stores other than those of the backends.
const OTHER_STORES: [&str; 2] = ["voight-memory", "voight-postgres"];

/// Returns the package of a backend.
fn package(backend: Backend) -> String {
    format!("voight-{backend}")
}

/// Returns the sources of what a scenario breaks on a backend.
pub fn tried_sources(tried: Tried, backend: Backend) -> TriedSources {
    let backends: Vec<_> = Backend::ALL
        .iter()
        .map(|backend| package(*backend))
        .collect();
    let to_strings = |names: &[&str]| names.iter().map(ToString::to_string).collect::<Vec<_>>();
    let (packages, except) = match tried {
        Tried::Store => (vec![PORTS.to_owned(), package(backend)], Vec::new()),
        Tried::EveryStore => {
            let ports = std::iter::once(PORTS.to_owned());
            (ports.chain(backends).collect(), Vec::new())
        }
        Tried::Server => {
            let unused_backends = backends
                .into_iter()
                .filter(|name| *name != package(backend));
            (
                to_strings(&[SERVER]),
                to_strings(&OTHER_STORES)
                    .into_iter()
                    .chain(unused_backends)
                    .collect(),
            )
        }
        Tried::ServerWithEveryStore => (to_strings(&[SERVER]), Vec::new()),
    };
    TriedSources {
        packages,
        except,
        paths: to_strings(&SCENARIO_SOURCES),
    }
}

#[cfg(test)]
mod tests {
    use super::tried_sources;
    use crate::harness::Backend;
    use crate::scenarios::SCENARIOS;
    use std::fs;
    use std::path::Path;
    use voight_tests::paths::{committable, repository};
    use voight_tests::results::SourceTree;

    /// Copies the manifests and sources of the workspace.
    fn copy_sources(to: &Path) {
        for file in committable(&["Cargo.toml", "Cargo.lock", "crates", "tests/faults"]) {
            let from = repository().join(&file);
            let to = to.join(&file);
            fs::create_dir_all(to.parent().unwrap()).unwrap();
            // A file that is removed, but not committed yet, is still listed.
            let _ = fs::copy(from, to);
        }
    }

    fn reason(root: &Path, name: &str, backend: Backend, changed: &str) -> Option<String> {
        let scenario = SCENARIOS
            .iter()
            .find(|scenario| scenario.name == name)
            .unwrap();
        let recorded_digests = SourceTree::read(root)
            .unwrap()
            .digests(&tried_sources(scenario.tried, backend));
        let path = root.join(changed);
        let bytes_before = fs::read(&path).unwrap();
        fs::write(&path, [&bytes_before[..], b"\n// Changed."].concat()).unwrap();
        let reason = SourceTree::read(root)
            .unwrap()
            .stale_reason(&recorded_digests);
        fs::write(&path, bytes_before).unwrap();
        reason
    }

    #[test]
    fn results_are_stale_by_their_sources() {
        let folder = tempfile::tempdir().unwrap();
        copy_sources(folder.path());
        let reason = |name, backend, changed| reason(folder.path(), name, backend, changed);
        let store = "crates/embedded/src/lib.rs";
        let engine = "crates/engine/src/lib.rs";
        let change_reason = |package: &str| Some(format!("`{package}` changed since"));
        assert_eq!(
            reason("kill", Backend::Redb, store),
            change_reason("voight-embedded")
        );
        assert_eq!(
            reason("kill", Backend::Sled, engine),
            change_reason("voight-engine")
        );
        assert_eq!(
            reason("server-kill", Backend::Sled, store),
            change_reason("voight-embedded")
        );
        assert_eq!(
            reason("kill", Backend::Redb, "crates/redb/src/lib.rs"),
            change_reason("voight-redb")
        );
        assert_eq!(
            reason("overload", Backend::Redb, "crates/http/src/lib.rs"),
            change_reason("voight-http")
        );
        assert_eq!(
            reason("moves", Backend::Redb, "crates/postgres/src/lib.rs"),
            change_reason("voight-postgres")
        );
        for (name, backend, path) in [
            ("kill", Backend::Redb, "crates/http/src/lib.rs"),
            ("kill", Backend::Redb, "crates/sled/src/lib.rs"),
            ("server-kill", Backend::Redb, "crates/sled/src/lib.rs"),
            ("server-kill", Backend::Redb, "crates/postgres/src/lib.rs"),
            ("overload", Backend::Redb, "crates/browser/src/lib.rs"),
            ("overload", Backend::Redb, "tests/faults/src/page.rs"),
        ] {
            assert_eq!(reason(name, backend, path), None, "{name}, {path}");
        }
    }
}
