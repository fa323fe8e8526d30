//! Directory of a database: ownership, locking and settings.

use crate::commit_counter;
use crate::index;
use crate::layout::{COUNTER_FILE, SEGMENT, log_of, names, settings_of};
use std::fs::{self, File, TryLockError};
use std::io::{self, ErrorKind};
use std::path::Path;
use std::thread;
use std::time::Duration;
use voight_engine::{OpenError, sync_folder_of};

/// Timeout for acquiring the lock: sled's threads release a directory shortly after it was closed.
const LOCK_TIMEOUT: Duration = Duration::from_secs(1);
const LOCK_RETRY_PAUSE: Duration = Duration::from_millis(5);

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
    let known_names = ["blobs", "conf", "db", COUNTER_FILE];
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
