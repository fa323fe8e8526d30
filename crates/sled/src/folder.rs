//! The folder of a database: whose it is, and whether it may be opened.

use crate::index;
use crate::mark;
use std::fs::{self, File, TryLockError};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;
use voight_store::{OpenError, sync_folder_of};

/// The size of a segment of the log, in bytes. Fixed for ever: sled refuses a folder that was written with another.
///
/// sled puts a page that is larger than a quarter of it into a file of its own, which no sync of the log covers. A page
/// holds about twenty entries, so with this size and [`LARGEST_VALUE`] none ever is. And sled takes a segment into use
/// again only two segments later: what a batch of less than that moves is still in its old place if the power fails within it.
/// Twice this size, the largest that sled accepts, overflows one of its counters when a segment is filled exactly.
pub(crate) const SEGMENT: usize = 8 << 20;

/// The largest value, in bytes: twenty of them fit into a quarter of a segment.
pub(crate) const LARGEST_VALUE: usize = 96 << 10;

/// How long a lock is waited for: sled's threads let go of a folder a moment after it was closed.
const LOCK_TIMEOUT: Duration = Duration::from_secs(1);
const LOCK_RETRY_PAUSE: Duration = Duration::from_millis(5);

/// The log.
pub(crate) fn log_of(path: &Path) -> PathBuf {
    path.join("db")
}

/// How sled writes its log; it writes this once and never reads the log in another way.
fn settings_of(path: &Path) -> PathBuf {
    path.join("conf")
}

/// Whether there is no database, or one whose log was never written to. Anything that is not one of this kind is refused before
/// sled can touch it: it would overwrite what it cannot read.
pub(crate) fn is_missing(path: &Path) -> Result<bool, OpenError> {
    let foreign = || OpenError::NotAStore { place: path.display().to_string() };
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
    if names.iter().any(|name| index::is_index(name)) || mark::has_commits(path) {
        return Err(OpenError::damaged(
            log_of(path).display(),
            "it is gone, although there is an index of it or a mark",
        ));
    }
    let known = ["blobs", "conf", "db", mark::FILE_NAME];
    let is_known = |name: &String| known.contains(&name.as_str()) || index::is_partial(name);
    if names.iter().all(is_known) { Ok(true) } else { Err(foreign()) }
}

/// Refuses a folder that another process holds, and one whose index of the log sled could not use.
pub(crate) fn check(path: &Path) -> Result<(), OpenError> {
    if !is_unlocked(path).map_err(|error| OpenError::io(path.display(), error))? {
        return Err(OpenError::InUse { place: path.display().to_string() });
    }
    // Only now: who holds the folder may just be writing an index.
    index::check(path)
}

/// Whether nobody holds the folder.
pub(crate) fn is_unlocked(path: &Path) -> io::Result<bool> {
    Ok(try_lock(path)?.is_some())
}

/// Keeps others from opening the folder for as long as what is returned lives; `None` if somebody holds it.
pub(crate) fn try_lock(path: &Path) -> io::Result<Option<File>> {
    let log = File::options().read(true).write(true).open(log_of(path))?;
    let mut waited = Duration::ZERO;
    loop {
        match log.try_lock() {
            Ok(()) => return Ok(Some(log)),
            Err(TryLockError::WouldBlock) if waited < LOCK_TIMEOUT => thread::sleep(LOCK_RETRY_PAUSE),
            Err(TryLockError::WouldBlock) => return Ok(None),
            Err(TryLockError::Error(error)) => return Err(error),
        }
        waited += LOCK_RETRY_PAUSE;
    }
}

/// Makes everything in the folder that sled has created or renamed, and the folder itself, survive a power cut.
pub(crate) fn sync(path: &Path) -> io::Result<()> {
    File::open(settings_of(path))?.sync_all()?;
    File::open(log_of(path))?.sync_all()?;
    File::open(path)?.sync_all()?;
    sync_folder_of(path)
}

/// The names of what lies in the folder.
pub(crate) fn names(path: &Path) -> io::Result<Vec<String>> {
    fs::read_dir(path)?.map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned())).collect()
}

/// A log that was written with other settings belongs to another program, or to a newer release of sled.
fn check_settings(path: &Path) -> Result<(), OpenError> {
    let settings = settings_of(path);
    let found = match fs::read(&settings) {
        Err(error) if error.kind() == ErrorKind::NotFound => Vec::new(),
        Err(error) => return Err(OpenError::io(settings.display(), error)),
        Ok(found) => found,
    };
    let ours = format!("segment_size: {SEGMENT}\nuse_compression: false\nversion: 0.34\n");
    match found.split_last_chunk() {
        Some((text, sum)) if crc32fast::hash(text) == u32::from_le_bytes(*sum) => {
            if text == ours.as_bytes() {
                Ok(())
            } else {
                Err(OpenError::NotAStore { place: path.display().to_string() })
            }
        }
        _ => Err(OpenError::damaged(settings.display(), "its checksum does not hold")),
    }
}
