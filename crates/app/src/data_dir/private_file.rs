//! Files that only their owner may read.

use crate::wiring::{AtomicFile, create_private, sync_folder_of};
use std::fs;
use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// Creates a file, which must not exist, and syncs it to disk.
pub(super) fn create(path: &Path, text: &str) -> io::Result<()> {
    let mut file = create_private(path)?;
    file.write_all(text.as_bytes()).and_then(|()| file.sync_all()).inspect_err(|_| {
        // A partial secret is worse than none; the returned error describes the cause.
        let _ = fs::remove_file(path);
    })?;
    sync_folder_of(path)
}

/// Replaces a file atomically.
pub(super) fn replace(path: &Path, text: &str) -> io::Result<()> {
    AtomicFile::private(path.with_extension("new"))?.write_and_persist(text, path)
}

/// Returns `true` if other users have access to the file; `false` if it does not exist.
pub(super) fn is_open_to_others(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|about| about.permissions().mode() & 0o077 != 0)
}
