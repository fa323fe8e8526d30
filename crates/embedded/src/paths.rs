//! Paths of the files of a store.

use std::path::{Path, PathBuf};
use voight_engine::store::{wal_path, with_suffix};

/// Paths of the files of a store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StorePaths {
    /// Main database: everything except raw evidence.
    pub main: PathBuf,
    /// Database of raw evidence.
    pub evidence: PathBuf,
    /// File with a copy of the identity.
    pub sidecar: PathBuf,
    /// Write-ahead logs of both databases; they exist while the store is in use and after a crash.
    pub logs: [PathBuf; 2],
}

impl StorePaths {
    /// Returns the paths of the store at `path`.
    pub fn for_store(path: &Path) -> Self {
        let sidecar = with_suffix(path, ".id");
        let main = path.to_owned();
        let evidence = with_suffix(path, ".evidence");
        let logs = [wal_path(&main), wal_path(&evidence)];
        Self {
            main,
            evidence,
            sidecar,
            logs,
        }
    }

    /// Returns all paths.
    pub fn paths(&self) -> [&Path; 5] {
        let [main, evidence] = &self.logs;
        [&self.main, &self.evidence, &self.sidecar, main, evidence]
    }

    /// Returns the first of the paths that exists.
    pub fn first_existing(&self) -> Option<&Path> {
        self.paths()
            .into_iter()
            .find(|path| path.symlink_metadata().is_ok())
    }
}
