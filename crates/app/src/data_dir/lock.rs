//! Lock that lets one process at a time start in a data directory.

use super::unreadable;
use crate::exit::CommandError;
use std::fs::{File, TryLockError};
use std::path::Path;
use std::thread::sleep;
use std::time::Duration;

const PAUSE: Duration = Duration::from_millis(50);
/// Number of attempts, ten seconds in total: repairing a store after a crash delays its opening.
const TRIES: u32 = 200;

/// Locks the directory for the lifetime of the returned file. The operating system releases the lock after a crash.
pub(super) fn acquire(path: &Path) -> Result<File, CommandError> {
    let dir = File::open(path).map_err(|error| unreadable(path, &error))?;
    for _ in 0..TRIES {
        match dir.try_lock() {
            Ok(()) => return Ok(dir),
            Err(TryLockError::WouldBlock) => sleep(PAUSE),
            Err(TryLockError::Error(error)) => return Err(unreadable(path, &error)),
        }
    }
    let sentence = format!(
        "another process is still starting in {}; try again in a moment",
        path.display()
    );
    Err(CommandError::unreachable(sentence))
}
