//! What an embedded database has to be able to do.

use crate::Batch;
use rustix::io::Errno;
use std::io::{self, ErrorKind};
use std::ops::ControlFlow;

/// Why an engine failed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EngineError {
    /// No space is left. Whether a batch was applied is read back after [`Engine::recover`].
    #[error("no space is left: {0}")]
    Full(String),
    /// The engine's own structure is damaged.
    #[error("the database is damaged: {0}")]
    Corrupt(String),
    /// Input or output failed. Whether a batch was applied is unknown, and nothing may be tried again: after a failed
    /// sync the operating system may have dropped the very pages that a second sync would report as written.
    #[error("input or output failed: {0}")]
    Io(String),
    /// No file descriptor is free for a file that has to be opened. Nothing was written, and the call may be made again.
    #[error("no file can be opened: {0}")]
    NotApplied(String),
    /// The snapshot was taken before the engine was reopened; a new one answers.
    #[error("the database was reopened")]
    Stale,
}

/// No space on the disk, within the quota, or within the largest file that is allowed, is the one error that is survived.
impl From<io::Error> for EngineError {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::FileTooLarge => {
                Self::Full(error.to_string())
            }
            _ => Self::Io(error.to_string()),
        }
    }
}

impl EngineError {
    /// The error of opening a file. Without a free descriptor, of the process or of the system, nothing was written.
    pub fn opening(error: io::Error) -> Self {
        match Errno::from_io_error(&error) {
            Some(Errno::MFILE | Errno::NFILE) => Self::NotApplied(error.to_string()),
            _ => error.into(),
        }
    }
}

/// The direction of a range.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// From the smallest key on.
    Ascending,
    /// From the largest key on.
    Descending,
}

/// What looks at the entries of a range, key and value, until it breaks off.
pub type EntryVisitor<'a> = dyn FnMut(&[u8], &[u8]) -> ControlFlow<()> + 'a;

/// An ordered map of byte keys to byte values as it was at one moment.
pub trait Read {
    /// Shows the value of `key` to `visit`, in place; does nothing if there is none.
    fn get(&self, key: &[u8], visit: &mut dyn FnMut(&[u8])) -> Result<(), EngineError>;

    /// Shows the entries with `from <= key < to` to `visit`, in order.
    fn range(&self, from: &[u8], to: &[u8], order: Order, visit: &mut EntryVisitor<'_>) -> Result<(), EngineError>;
}

/// An embedded database: an ordered map of byte keys to byte values. Small and synchronous, so that an adapter is a page
/// of code; everything else is done once, above it.
///
/// One thread writes, any number read.
pub trait Engine: Send + Sync + 'static {
    /// A consistent view that later writes do not change.
    type Snapshot: Read;

    /// The kind of store, for example `redb`.
    fn name(&self) -> &'static str;

    /// The map as of the last [`apply`](Self::apply) that returned.
    fn snapshot(&self) -> Result<Self::Snapshot, EngineError>;

    /// Writes the whole batch or nothing; when it returns `Ok`, the batch survives a power cut.
    ///
    /// After an error the outcome is unknown: a commit that reported an error has been seen to be there after reopening.
    fn apply(&self, batch: &Batch) -> Result<(), EngineError>;

    /// The same for several batches, each over those before it: all of them or nothing. They have time: between changes `pause`
    /// is called now and then, and may keep the thread for a while. An engine that takes one batch at once makes one of them,
    /// and has no such places.
    fn apply_all(&self, batches: &[Batch], _pause: &mut dyn FnMut()) -> Result<(), EngineError> {
        self.apply(&Batch::merged(batches))
    }

    /// Puts the engine back to work after [`EngineError::Full`], for example by reopening its file in place. Snapshots
    /// taken before may be [`EngineError::Stale`] from then on.
    fn recover(&self) -> Result<(), EngineError>;

    /// Whether it is worth trying to write again after [`EngineError::Full`]. Asked now and then while nobody writes.
    fn has_free_space(&self) -> Result<bool, EngineError> {
        Ok(true)
    }

    /// An error if it has failed at work that goes on after a batch was applied. Asked now and then; never waits.
    fn health(&self) -> Result<(), EngineError> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_cannot_be_opened_for_lack_of_descriptors_is_not_applied() {
        for errno in [Errno::MFILE, Errno::NFILE] {
            assert!(matches!(EngineError::opening(errno.into()), EngineError::NotApplied(_)), "{errno}");
        }
        assert!(matches!(EngineError::opening(Errno::NOSPC.into()), EngineError::Full(_)));
        assert!(matches!(EngineError::opening(Errno::IO.into()), EngineError::Io(_)));
    }
}
