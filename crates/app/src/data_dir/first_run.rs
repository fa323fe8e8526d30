//! What this run has created and would take back.

use std::fs::{self, DirBuilder};
use std::io;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

/// Remembers what was created; on drop it is removed again, unless the run has succeeded.
#[derive(Debug, Default)]
pub(super) struct CreatedFiles {
    created: Vec<PathBuf>,
}

impl CreatedFiles {
    /// Creates a directory and the ones above it, open to their owner only, unless they are there.
    pub(super) fn create_dir(&mut self, path: &Path) -> io::Result<()> {
        if path.is_dir() {
            return Ok(());
        }
        if let Some(parent) = path.parent().filter(|parent| !parent.as_os_str().is_empty()) {
            self.create_dir(parent)?;
        }
        DirBuilder::new().mode(0o700).create(path)?;
        self.created.push(path.to_owned());
        Ok(())
    }

    /// Creates a private file.
    pub(super) fn create_file(&mut self, path: &Path, text: &str) -> io::Result<()> {
        super::private_file::create(path, text)?;
        self.created.push(path.to_owned());
        Ok(())
    }

    /// From now on everything stays; returns whether anything was created.
    pub(super) fn commit(&mut self) -> bool {
        !std::mem::take(&mut self.created).is_empty()
    }
}

impl Drop for CreatedFiles {
    fn drop(&mut self) {
        for path in self.created.drain(..).rev() {
            // A directory in which something else appeared stays: only what was created here is taken back.
            let _ = if path.is_dir() { fs::remove_dir(&path) } else { fs::remove_file(&path) };
        }
    }
}
