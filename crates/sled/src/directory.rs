//! Directory of a database: ownership, locking and layout.

use crate::commit_counter;
use crate::index;
use std::fs::{self, File, TryLockError};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;
use voight_embedded::{OpenError, sync_folder_of};

/// Segment size of the log in bytes. It can never change: sled rejects a directory that was written with another size.
///
/// sled stores a page larger than a quarter of a segment in a file of its own, which no sync of the log covers. A page
/// holds about twenty entries, so with this size and [`LARGEST_VALUE`] this never occurs. sled also reuses a freed
/// segment only two segments later, so data that a smaller batch moves is still in its old location if the power fails
/// during the batch. Twice this size, sled's maximum, overflows one of its counters when a segment is filled exactly.
pub(crate) const SEGMENT: usize = 8 << 20;

/// Largest value in bytes: twenty of them fit into a quarter of a segment.
pub(crate) const LARGEST_VALUE: usize = 96 << 10;

/// Timeout for acquiring the lock: sled's threads release a directory shortly after it was closed.
const LOCK_TIMEOUT: Duration = Duration::from_secs(1);
const LOCK_RETRY_PAUSE: Duration = Duration::from_millis(5);

/// Returns the path of the log.
pub(crate) fn log_of(path: &Path) -> PathBuf {
    path.join("db")
}

/// Returns the path of sled's settings, which sled writes once and requires to match from then on.
fn settings_of(path: &Path) -> PathBuf {
    path.join("conf")
}

/// Returns `true` if no database exists, or its log was never written to. Any other directory is rejected before sled
/// can modify it, because sled overwrites files that it cannot read.
pub(crate) fn is_missing(path: &Path) -> Result<bool, OpenError> {
    let foreign = || OpenError::NotAStore {
        place: path.display().to_string(),
    };
    match fs::metadata(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(true),
        Err(error) => return Err(OpenError::io(path.display(), error)),
        Ok(found) if !found.is_dir() => return Err(foreign()),
        Ok(_) => {}
    }
    let names = names(path).map_err(|error| OpenError::io(path.display(), error))?;
    if fs::metadata(log_of(path)).is_ok_and(|log| log.len() > 0) {
        return check_settings(path).map(|()| false);
    }
    if names.iter().any(|name| index::is_index(name)) || commit_counter::has_commits(path) {
        return Err(OpenError::damaged(
            log_of(path).display(),
            "it is gone, although there is an index of it or a mark",
        ));
    }
    let known_names = ["blobs", "conf", "db", commit_counter::FILE_NAME];
    let is_known = |name: &String| known_names.contains(&name.as_str()) || index::is_partial(name);
    if names.iter().all(is_known) {
        Ok(true)
    } else {
        Err(foreign())
    }
}

/// Rejects a directory that another process uses, and one whose log index sled could not read.
pub(crate) fn check(path: &Path) -> Result<(), OpenError> {
    if !is_unlocked(path).map_err(|error| OpenError::io(path.display(), error))? {
        return Err(OpenError::InUse {
            place: path.display().to_string(),
        });
    }
    // Checked after the lock: a process that holds the directory may be writing an index.
    index::check(path)
}

/// Returns `true` if no process has locked the directory.
pub(crate) fn is_unlocked(path: &Path) -> io::Result<bool> {
    Ok(try_lock(path)?.is_some())
}

/// Locks the directory while the returned file exists; `None` if another process holds the lock.
pub(crate) fn try_lock(path: &Path) -> io::Result<Option<File>> {
    let log = File::options().read(true).write(true).open(log_of(path))?;
    let mut elapsed = Duration::ZERO;
    loop {
        match log.try_lock() {
            Ok(()) => return Ok(Some(log)),
            Err(TryLockError::WouldBlock) if elapsed < LOCK_TIMEOUT => {
                thread::sleep(LOCK_RETRY_PAUSE);
            }
            Err(TryLockError::WouldBlock) => return Ok(None),
            Err(TryLockError::Error(error)) => return Err(error),
        }
        elapsed += LOCK_RETRY_PAUSE;
    }
}

/// Makes the files that sled created or renamed, and the directory itself, survive a power failure.
pub(crate) fn sync(path: &Path) -> io::Result<()> {
    File::open(settings_of(path))?.sync_all()?;
    File::open(log_of(path))?.sync_all()?;
    File::open(path)?.sync_all()?;
    sync_folder_of(path)
}

/// Returns the file names in the directory.
pub(crate) fn names(path: &Path) -> io::Result<Vec<String>> {
    fs::read_dir(path)?
        .map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned()))
        .collect()
}

/// Rejects a log with other settings, which belongs to another program or to a newer release of sled.
fn check_settings(path: &Path) -> Result<(), OpenError> {
    let settings = settings_of(path);
    let content = match fs::read(&settings) {
        Err(error) if error.kind() == ErrorKind::NotFound => Vec::new(),
        Err(error) => return Err(OpenError::io(settings.display(), error)),
        Ok(content) => content,
    };
    let ours = format!("segment_size: {SEGMENT}\nuse_compression: false\nversion: 0.34\n");
    match content.split_last_chunk() {
        Some((text, sum)) if crc32fast::hash(text) == u32::from_le_bytes(*sum) => {
            if text == ours.as_bytes() {
                Ok(())
            } else {
                Err(OpenError::NotAStore {
                    place: path.display().to_string(),
                })
            }
        }
        _ => Err(OpenError::damaged(
            settings.display(),
            "its checksum does not hold",
        )),
    }
}
