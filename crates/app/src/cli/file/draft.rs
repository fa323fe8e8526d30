//! A file that is there whole or not at all.

use super::sink::unwritable;
use crate::exit::Failure;
use std::fs::{self, File};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use voight_store::sync_folder_of;

/// The file until it is whole; removed when dropped.
pub(in crate::cli) struct Draft {
    path: PathBuf,
    file: File,
}

impl Draft {
    /// Creates the draft of the file `out`, empty.
    pub(in crate::cli) fn create(out: &Path) -> Result<Self, Failure> {
        let mut path = out.as_os_str().to_owned();
        path.push(".partial");
        let path = PathBuf::from(path);
        // It may hold digests of keys, raw evidence, or who asked for what: for its owner only.
        let file = File::options().write(true).create(true).truncate(true).mode(0o600).open(&path);
        let file = file.map_err(|error| unwritable(&path, &error))?;
        Ok(Self { path, file })
    }

    /// Where it is.
    pub(in crate::cli) fn path(&self) -> &Path {
        &self.path
    }

    /// What is written to.
    pub(in crate::cli) const fn file(&self) -> &File {
        &self.file
    }

    /// Waits until what was written is on the disk.
    pub(in crate::cli) fn sync(&self) -> Result<(), Failure> {
        self.file.sync_all().map_err(|error| unwritable(&self.path, &error))
    }

    /// Gives it the name of a whole file, in the same folder.
    pub(in crate::cli) fn keep(&self, out: &Path) -> Result<(), Failure> {
        refuse_existing(out)?;
        self.replace(out)
    }

    /// The same, also if that file is there: what it holds has to be in this one.
    pub(in crate::cli) fn replace(&self, out: &Path) -> Result<(), Failure> {
        fs::rename(&self.path, out).and_then(|()| sync_folder_of(out)).map_err(|error| unwritable(out, &error))
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.path);
    }
}

/// What is written never takes the place of a file that is there.
pub(in crate::cli) fn refuse_existing(out: &Path) -> Result<(), Failure> {
    if out.symlink_metadata().is_err() {
        return Ok(());
    }
    Err(Failure::internal(format!("{} is there already; name another file with --out", out.display())))
}
