//! A data directory that goes with the demo.

use crate::exit::CommandError;
use crate::system::OsEntropy;
use std::path::{Path, PathBuf};
use voight_domain::ports::Entropy;

/// A fresh directory for temporary files of the system, removed when this is dropped.
pub(crate) struct TempDataDir(PathBuf);

impl TempDataDir {
    /// Names a directory that does not exist yet; the installation creates it, open to its owner only.
    pub(crate) fn new() -> Result<Self, CommandError> {
        let entropy: &dyn Entropy = &OsEntropy;
        let name = format!("voight-demo-{}", data_encoding::HEXLOWER.encode(&entropy.bytes::<8>()));
        let path = std::env::temp_dir().join(name);
        if path.exists() {
            return Err(CommandError::internal(format!(
                "{} exists already; name a directory with --data-dir",
                path.display()
            )));
        }
        Ok(Self(path))
    }

    /// Where it is.
    pub(crate) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for TempDataDir {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
