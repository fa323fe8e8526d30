//! A file that is there whole or not at all.

use crate::sync_folder_of;
use std::fs::{self, File};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

/// Who may read a file, as the system's mask allows.
const EVERYBODY: u32 = 0o666;
const OWNER: u32 = 0o600;

/// A file until it is whole: then it gets its name, in the same folder; removed if it is dropped before.
#[derive(Debug)]
pub struct Draft {
    path: PathBuf,
    file: File,
    kept: bool,
}

impl Draft {
    /// Creates the draft at `path`, empty; what a crash has left there is written over. Only its owner may read it: it may hold
    /// digests of keys, raw evidence, or who asked for what.
    pub fn private(path: PathBuf) -> io::Result<Self> {
        Self::create(path, OWNER)
    }

    /// The same, of a file that everybody may read.
    pub(crate) fn public(path: PathBuf) -> io::Result<Self> {
        Self::create(path, EVERYBODY)
    }

    fn create(path: PathBuf, mode: u32) -> io::Result<Self> {
        let file = File::options().write(true).create(true).truncate(true).mode(mode).open(&path)?;
        Ok(Self { path, file, kept: false })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What is written to.
    pub const fn file(&self) -> &File {
        &self.file
    }

    /// Waits until what was written is on the disk.
    pub fn sync(&self) -> io::Result<()> {
        self.file.sync_all()
    }

    /// Gives it its name, and waits until it is found under that after a power cut. A file of that name is replaced.
    pub fn replace(mut self, path: &Path) -> io::Result<()> {
        fs::rename(&self.path, path)?;
        self.kept = true;
        sync_folder_of(path)
    }

    /// The same once this text is in it, and on the disk.
    pub fn replace_by(self, text: &str, path: &Path) -> io::Result<()> {
        self.file().write_all(text.as_bytes())?;
        self.sync()?;
        self.replace(path)
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        if !self.kept {
            let _ = fs::remove_file(&self.path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn a_file_is_as_it_was_until_its_draft_is_whole() {
        let folder = tempfile::tempdir().unwrap();
        let (path, file) = (folder.path().join("file.partial"), folder.path().join("file"));
        fs::write(&file, "before").unwrap();
        fs::write(&path, "what a crash has left, which is longer").unwrap();
        let draft = Draft::private(path.clone()).unwrap();
        draft.file().write_all(b"half").unwrap();
        drop(draft);
        assert_eq!((fs::read_to_string(&file).unwrap().as_str(), path.exists()), ("before", false));
        Draft::private(path.clone()).unwrap().replace_by("after", &file).unwrap();
        assert_eq!((fs::read_to_string(&file).unwrap().as_str(), path.exists()), ("after", false));
    }

    #[test]
    fn a_draft_that_cannot_be_kept_is_removed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file.partial");
        assert!(Draft::private(path.clone()).unwrap().replace(&folder.path().join("missing/file")).is_err());
        assert!(!path.exists());
    }

    #[test]
    fn a_private_file_is_for_its_owner_only() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        Draft::private(folder.path().join("file.partial")).unwrap().replace(&file).unwrap();
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    }
}
