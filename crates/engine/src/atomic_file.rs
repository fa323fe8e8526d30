//! Writes a file atomically: to a temporary name, synced, then renamed.

use crate::paths::with_suffix;
use rustix::fs::OFlags;
use std::fs::{self, File};
use std::io::{self, Write};
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

/// File mode that only the owner can read and write.
const MODE_PRIVATE: u32 = 0o600;
/// `O_NOFOLLOW` as an open flag.
const NOFOLLOW: i32 = OFlags::NOFOLLOW.bits().cast_signed();

/// Creates a file that only its owner can read and write.
///
/// The file must not exist. No symbolic link is followed, and the umask does not change the mode.
///
/// # Errors
///
/// `AlreadyExists` if anything has that name, a dangling symbolic link included.
pub fn create_private(path: &Path) -> io::Result<File> {
    let mut options = File::options();
    options
        .read(true)
        .write(true)
        .create_new(true)
        .mode(MODE_PRIVATE)
        .custom_flags(NOFOLLOW);
    let file = options.open(path)?;
    // The umask applies to `open` only.
    file.set_permissions(fs::Permissions::from_mode(MODE_PRIVATE))?;
    Ok(file)
}

/// Opens or creates a file for reading and writing by its owner only.
///
/// The mode of a file that others can read is narrowed. A symbolic link to an existing file is the operator's choice
/// and is followed; no file is created through a link.
pub fn open_private(path: &Path) -> io::Result<File> {
    match create_private(path) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            let file = File::options().read(true).write(true).open(path)?;
            narrow(&file)?;
            Ok(file)
        }
        creation => creation,
    }
}

/// Removes the permissions of group and others, if the file grants any.
fn narrow(file: &File) -> io::Result<()> {
    let mode = file.metadata()?.permissions().mode();
    if mode.trailing_zeros() >= 6 {
        Ok(())
    } else {
        file.set_permissions(fs::Permissions::from_mode(mode & 0o700))
    }
}

/// Temporary file that is renamed when complete, within one directory. Dropping it before removes it.
#[derive(Debug)]
pub struct AtomicFile {
    path: PathBuf,
    file: File,
    persisted: bool,
}

impl AtomicFile {
    /// Creates an empty temporary file at `path` with mode 0600. It may hold key digests, raw evidence or lookups of
    /// clients.
    ///
    /// A file that a crash has left at `path` is removed first. A symbolic link is removed too, and never followed.
    pub fn private(path: PathBuf) -> io::Result<Self> {
        match fs::remove_file(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        let file = create_private(&path)?;
        Ok(Self {
            path,
            file,
            persisted: false,
        })
    }

    /// Returns the path of the temporary file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the open file.
    pub const fn file(&self) -> &File {
        &self.file
    }

    /// Blocks until the written data is on disk.
    pub fn sync(&self) -> io::Result<()> {
        self.file.sync_all()
    }

    /// Renames the file to `path` and syncs the directory. Replaces an existing file.
    pub fn persist(mut self, path: &Path) -> io::Result<()> {
        fs::rename(&self.path, path)?;
        self.persisted = true;
        sync_folder_of(path)
    }

    /// Writes `text`, syncs the file and renames it to `path`.
    pub fn write_and_persist(self, text: &str, path: &Path) -> io::Result<()> {
        self.file().write_all(text.as_bytes())?;
        self.sync()?;
        self.persist(path)
    }
}

impl Drop for AtomicFile {
    fn drop(&mut self) {
        if !self.persisted {
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// Syncs the directory of `path`. A created or renamed file survives a power failure only after its directory was
/// synced.
pub fn sync_folder_of(path: &Path) -> io::Result<()> {
    open_folder_of(path)?.sync_all()
}

/// Opens the directory of `path`.
pub(crate) fn open_folder_of(path: &Path) -> io::Result<File> {
    File::open(
        path.parent()
            .filter(|folder| !folder.as_os_str().is_empty())
            .unwrap_or(Path::new(".")),
    )
}

/// Replaces a file atomically: after a crash it has either the old or the new content.
pub fn replace_file(path: &Path, text: &str) -> io::Result<()> {
    AtomicFile::private(with_suffix(path, ".new"))?.write_and_persist(text, path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().permissions().mode() & 0o777
    }

    #[test]
    fn draft_does_not_follow_symlinks() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file.partial");
        let victim = folder.path().join("victim");
        fs::write(&victim, "mine").unwrap();
        symlink(&victim, &path).unwrap();
        AtomicFile::private(path.clone())
            .unwrap()
            .write_and_persist("text", &folder.path().join("file"))
            .unwrap();
        assert_eq!(fs::read_to_string(&victim).unwrap(), "mine");
        assert_eq!(
            fs::read_to_string(folder.path().join("file")).unwrap(),
            "text"
        );
    }

    #[test]
    fn draft_does_not_reuse_an_old_mode() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file.partial");
        let file = folder.path().join("file");
        fs::write(&path, "left").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o666)).unwrap();
        AtomicFile::private(path)
            .unwrap()
            .write_and_persist("text", &file)
            .unwrap();
        assert_eq!(mode(&file), 0o600);
    }

    #[test]
    fn private_file_is_never_created_through_a_link() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let victim = folder.path().join("victim");
        symlink(&victim, &path).unwrap();
        assert_eq!(
            create_private(&path).unwrap_err().kind(),
            io::ErrorKind::AlreadyExists
        );
        assert!(open_private(&path).is_err());
        assert!(!victim.exists());
        fs::remove_file(&path).unwrap();
        create_private(&path).unwrap();
        assert_eq!(mode(&path), 0o600);
    }

    #[test]
    fn open_private_narrows_permissions() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        fs::write(&path, "text").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
        open_private(&path).unwrap();
        assert_eq!(mode(&path), 0o600);
        assert_eq!(fs::read_to_string(&path).unwrap().as_str(), "text");
    }

    #[test]
    fn file_is_replaced_by_complete_drafts_only() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file.partial");
        let file = folder.path().join("file");
        fs::write(&file, "before").unwrap();
        fs::write(&path, "what a crash has left, which is longer").unwrap();
        let draft = AtomicFile::private(path.clone()).unwrap();
        draft.file().write_all(b"half").unwrap();
        drop(draft);
        assert_eq!(fs::read_to_string(&file).unwrap().as_str(), "before");
        assert!(!path.exists());
        AtomicFile::private(path.clone())
            .unwrap()
            .write_and_persist("after", &file)
            .unwrap();
        assert_eq!(fs::read_to_string(&file).unwrap().as_str(), "after");
        assert!(!path.exists());
    }

    #[test]
    fn failed_draft_is_removed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file.partial");
        assert!(
            AtomicFile::private(path.clone())
                .unwrap()
                .persist(&folder.path().join("missing/file"))
                .is_err()
        );
        assert!(!path.exists());
    }

    #[test]
    fn private_file_is_owner_only() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        AtomicFile::private(folder.path().join("file.partial"))
            .unwrap()
            .persist(&file)
            .unwrap();
        assert_eq!(
            fs::metadata(&file).unwrap().permissions().mode() & 0o777,
            0o600
        );
    }
}
