//! Temporary data directory of the demo.

use crate::exit::CommandError;
use crate::os::OsEntropy;
use std::path::{Path, PathBuf};
use voight_domain::ports::Entropy;

/// New directory among the temporary files of the system; removed on drop.
pub(crate) struct TempDataDir(PathBuf);

impl TempDataDir {
    /// Chooses a path that does not exist yet; the installation creates the directory with mode 0700.
    pub(crate) fn new() -> Result<Self, CommandError> {
        let entropy: &dyn Entropy = &OsEntropy;
        let name = format!(
            "voight-demo-{}",
            data_encoding::HEXLOWER.encode(&entropy.bytes::<8>())
        );
        let path = std::env::temp_dir().join(name);
        if path.exists() {
            return Err(CommandError::internal(format!(
                "{} exists already; name a directory with --data-dir",
                path.display()
            )));
        }
        Ok(Self(path))
    }

    /// Returns the path.
    pub(crate) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for TempDataDir {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
