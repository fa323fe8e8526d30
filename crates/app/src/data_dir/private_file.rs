//! Files that only their owner may read.

use std::fs::{self, File};
use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use voight_store::{AtomicFile, create_private, sync_folder_of};

/// Creates a file that must not exist, and returns when it is on disk.
pub(super) fn create(path: &Path, text: &str) -> io::Result<()> {
    let file = create_private(path)?;
    fill(file, text).inspect_err(|_| {
        // Half a secret is worse than none; the error that is returned says what happened.
        let _ = fs::remove_file(path);
    })?;
    sync_folder_of(path)
}

/// Puts a file in the place of the one that is there, whole or not at all.
pub(super) fn replace(path: &Path, text: &str) -> io::Result<()> {
    AtomicFile::private(path.with_extension("new"))?.write_and_persist(text, path)
}

/// Whether anybody but the owner has any right to it; `false` if there is no such file.
pub(super) fn is_open_to_others(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|about| about.permissions().mode() & 0o077 != 0)
}

fn fill(mut file: File, text: &str) -> io::Result<()> {
    file.write_all(text.as_bytes())?;
    file.sync_all()
}
