//! Files that only their owner may read.

use crate::wiring::{AtomicFile, create_private, sync_folder_of};
use rustix::process::geteuid;
use std::fs;
use std::io::{self, Write};
use std::os::unix::fs::MetadataExt;
use std::path::Path;

/// Creates a file, which must not exist, and syncs it to disk.
pub(super) fn create(path: &Path, text: &str) -> io::Result<()> {
    let mut file = create_private(path)?;
    file.write_all(text.as_bytes())
        .and_then(|()| file.sync_all())
        .inspect_err(|_| {
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
///
/// The group of a file of another owner has access for the sake of this process.
pub(crate) fn is_open_to_others(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|about| {
        let own_group = if about.uid() == geteuid().as_raw() {
            0o070
        } else {
            0
        };
        about.mode() & (0o007 | own_group) != 0
    })
}
