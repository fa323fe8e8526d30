//! A file that a command writes: there whole or not at all.

use super::sink::unwritable;
use crate::exit::CommandError;
use std::fs::File;
use std::path::{Path, PathBuf};

/// The file until it is whole; removed when dropped.
pub(in crate::cli) struct OutputFile(voight_store::AtomicFile);

impl OutputFile {
    /// Creates the draft of the file `out`, empty.
    pub(in crate::cli) fn create(out: &Path) -> Result<Self, CommandError> {
        let mut path = out.as_os_str().to_owned();
        path.push(".partial");
        let path = PathBuf::from(path);
        voight_store::AtomicFile::private(path.clone()).map(Self).map_err(|error| unwritable(&path, &error))
    }

    /// Where it is.
    pub(in crate::cli) fn path(&self) -> &Path {
        self.0.path()
    }

    /// What is written to.
    pub(in crate::cli) const fn file(&self) -> &File {
        self.0.file()
    }

    /// Waits until what was written is on the disk.
    pub(in crate::cli) fn sync(&self) -> Result<(), CommandError> {
        self.0.sync().map_err(|error| unwritable(self.path(), &error))
    }

    /// Gives it the name of a whole file, in the same folder.
    pub(in crate::cli) fn persist_new(self, out: &Path) -> Result<(), CommandError> {
        refuse_existing(out)?;
        self.persist_over(out)
    }

    /// The same, also if that file is there: what it holds has to be in this one.
    pub(in crate::cli) fn persist_over(self, out: &Path) -> Result<(), CommandError> {
        self.0.persist(out).map_err(|error| unwritable(out, &error))
    }
}

/// What is written never takes the place of a file that is there.
pub(in crate::cli) fn refuse_existing(out: &Path) -> Result<(), CommandError> {
    if out.symlink_metadata().is_err() {
        return Ok(());
    }
    Err(CommandError::internal(format!("{} is there already; name another file with --out", out.display())))
}
