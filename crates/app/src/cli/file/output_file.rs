//! Output file that a command writes atomically.

use super::sink::unwritable;
use crate::exit::CommandError;
use crate::wiring::AtomicFile;
use std::fs::File;
use std::path::{Path, PathBuf};

/// Temporary file, renamed when it is complete; removed when dropped.
pub(in crate::cli) struct OutputFile(AtomicFile);

impl OutputFile {
    /// Creates an empty temporary file for `out`.
    pub(in crate::cli) fn create(out: &Path) -> Result<Self, CommandError> {
        let mut path = out.as_os_str().to_owned();
        path.push(".partial");
        let path = PathBuf::from(path);
        AtomicFile::private(path)
            .map(Self)
            .map_err(|error| unwritable(out, &error))
    }

    /// Returns the path of the temporary file.
    pub(in crate::cli) fn path(&self) -> &Path {
        self.0.path()
    }

    /// Returns the temporary file.
    pub(in crate::cli) const fn file(&self) -> &File {
        self.0.file()
    }

    /// Syncs the written data to disk.
    pub(in crate::cli) fn sync(&self) -> Result<(), CommandError> {
        self.0
            .sync()
            .map_err(|error| unwritable(self.path(), &error))
    }

    /// Renames the file to `out` in the same directory; fails if `out` exists.
    pub(in crate::cli) fn persist_new(self, out: &Path) -> Result<(), CommandError> {
        reject_existing(out)?;
        self.persist_over(out)
    }

    /// Renames the file to `out` and replaces an existing file, whose content has to be in this one.
    pub(in crate::cli) fn persist_over(self, out: &Path) -> Result<(), CommandError> {
        self.0.persist(out).map_err(|error| unwritable(out, &error))
    }
}

/// Fails if the destination exists.
pub(in crate::cli) fn reject_existing(out: &Path) -> Result<(), CommandError> {
    if out.symlink_metadata().is_err() {
        return Ok(());
    }
    Err(CommandError::internal(format!(
        "{} already exists; name another file with --out",
        out.display()
    )))
}
