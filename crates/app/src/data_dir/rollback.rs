//! Files that this run has created, and removes if it fails.

use std::fs::{self, DirBuilder};
use std::io;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

/// Created files, removed on drop unless the run has succeeded.
#[derive(Debug, Default)]
pub(super) struct CreatedFiles {
    created: Vec<PathBuf>,
}

impl CreatedFiles {
    /// Creates a directory and its missing parents with mode 0700.
    pub(super) fn create_dir(&mut self, path: &Path) -> io::Result<()> {
        if path.is_dir() {
            return Ok(());
        }
        if let Some(parent) = path
            .parent()
            .filter(|parent| !parent.as_os_str().is_empty())
        {
            self.create_dir(parent)?;
        }
        DirBuilder::new().mode(0o700).create(path)?;
        self.created.push(path.to_owned());
        Ok(())
    }

    /// Creates a file that only the owner may read.
    pub(super) fn create_file(&mut self, path: &Path, text: &str) -> io::Result<()> {
        super::private_file::create(path, text)?;
        self.created.push(path.to_owned());
        Ok(())
    }

    /// Keeps all created files; returns `true` if there are any.
    pub(super) fn commit(&mut self) -> bool {
        !std::mem::take(&mut self.created).is_empty()
    }
}

impl Drop for CreatedFiles {
    fn drop(&mut self) {
        for path in self.created.drain(..).rev() {
            // A directory that contains other files is kept: only the files created here are removed.
            let _ = if path.is_dir() {
                fs::remove_dir(&path)
            } else {
                fs::remove_file(&path)
            };
        }
    }
}
