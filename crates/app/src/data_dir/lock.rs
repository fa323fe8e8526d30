//! One process at a time begins in a data directory.

use super::unreadable;
use crate::exit::CommandError;
use std::fs::{File, TryLockError};
use std::path::Path;
use std::thread::sleep;
use std::time::Duration;

const PAUSE: Duration = Duration::from_millis(50);
/// Ten seconds: a store that has to be repaired after a crash takes a while to open.
const TRIES: u32 = 200;

/// Locks the directory for as long as the file lives. The lock is the operating system's, so a crash leaves none behind.
pub(super) fn acquire(path: &Path) -> Result<File, CommandError> {
    let dir = File::open(path).map_err(|error| unreadable(path, &error))?;
    for _ in 0..TRIES {
        match dir.try_lock() {
            Ok(()) => return Ok(dir),
            Err(TryLockError::WouldBlock) => sleep(PAUSE),
            Err(TryLockError::Error(error)) => return Err(unreadable(path, &error)),
        }
    }
    let sentence = format!("another process is still starting in {}; try again in a moment", path.display());
    Err(CommandError::unreachable(sentence))
}
