//! Interface of an embedded database.

use crate::Batch;
use rustix::io::Errno;
use std::io::{self, ErrorKind};
use std::ops::ControlFlow;
use voight_domain::ports::LogStatus;

/// Error of an engine.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EngineError {
    /// No space is left. [`Engine::recover`] must run before a read can tell if the batch was applied.
    #[error("no space is left: {0}")]
    Full(String),
    /// The engine's own structure is corrupt.
    #[error("the database is damaged: {0}")]
    Corrupt(String),
    /// Input or output failed. The outcome of the batch is unknown, and no retry is allowed: after a failed sync the
    /// operating system may have dropped the very pages that a second sync would report as written.
    #[error("input or output failed: {0}")]
    Io(String),
    /// No file descriptor is available to open a file. Nothing was written, and the call may be repeated.
    #[error("no file can be opened: {0}")]
    NotApplied(String),
    /// The snapshot was taken before the engine was reopened; take a new one.
    #[error("the database was reopened")]
    Stale,
}

/// Maps a full disk, an exceeded quota and the file size limit to [`EngineError::Full`]. This is the only recoverable
/// error.
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
    /// Maps an error of opening a file. If the process or the system has no free descriptor, nothing was written.
    pub fn opening(error: io::Error) -> Self {
        match Errno::from_io_error(&error) {
            Some(Errno::MFILE | Errno::NFILE) => Self::NotApplied(error.to_string()),
            _ => error.into(),
        }
    }
}

/// Direction of a range scan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// Smallest key first.
    Ascending,
    /// Largest key first.
    Descending,
}

/// Callback that receives the key and value of each entry of a range, and may stop the scan.
pub type EntryVisitor<'a> = dyn FnMut(&[u8], &[u8]) -> ControlFlow<()> + 'a;

/// Snapshot of an ordered map from byte keys to byte values.
pub trait Read {
    /// Passes the value of `key` to `visit` without copying it. Does nothing if the key is missing.
    fn get(&self, key: &[u8], visit: &mut dyn FnMut(&[u8])) -> Result<(), EngineError>;

    /// Passes the entries with `from <= key < to` to `visit`, in `order`.
    fn range(
        &self,
        from: &[u8],
        to: &[u8],
        order: Order,
        visit: &mut EntryVisitor<'_>,
    ) -> Result<(), EngineError>;
}

/// Embedded database: an ordered map from byte keys to byte values.
///
/// The interface is small and synchronous to keep adapters short; shared code implements everything else on top of it.
/// One thread writes, any number of threads read.
pub trait Engine: Send + Sync + 'static {
    /// Consistent view that later writes do not change.
    type Snapshot: Read;

    /// Returns the kind of store, for example `redb`.
    fn name(&self) -> &'static str;

    /// Returns the map as of the last [`apply`](Self::apply) that returned.
    fn snapshot(&self) -> Result<Self::Snapshot, EngineError>;

    /// Writes the whole batch or nothing. When it returns `Ok`, the batch survives a power failure.
    ///
    /// After an error the outcome is unknown: a commit that reported an error can be present after reopening.
    fn apply(&self, batch: &Batch) -> Result<(), EngineError>;

    /// Writes several batches in order, all of them or nothing. Later batches overwrite earlier ones.
    ///
    /// The call is not urgent: between changes it calls `pause` from time to time, which may block the thread. The
    /// default implementation merges the batches into one, applies it at once, and never calls `pause`.
    fn apply_all(&self, batches: &[Batch], _pause: &mut dyn FnMut()) -> Result<(), EngineError> {
        self.apply(&Batch::merged(batches))
    }

    /// Recovers the engine after [`EngineError::Full`], for example by reopening its file in place. Earlier snapshots
    /// may return [`EngineError::Stale`] from then on.
    fn recover(&self) -> Result<(), EngineError>;

    /// Returns `true` if a write is worth retrying after [`EngineError::Full`]. The writer polls it while its queue is
    /// empty.
    fn has_free_space(&self) -> Result<bool, EngineError> {
        Ok(true)
    }

    /// Returns an error if background work of the engine failed after a batch was applied. Polled; never blocks.
    fn health(&self) -> Result<(), EngineError> {
        Ok(())
    }

    /// Returns the use of the write-ahead log; `None` for an engine without one. Never blocks on input or output.
    fn log_status(&self) -> Option<LogStatus> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn descriptor_shortage_is_not_applied() {
        for errno in [Errno::MFILE, Errno::NFILE] {
            assert!(
                matches!(
                    EngineError::opening(errno.into()),
                    EngineError::NotApplied(_)
                ),
                "{errno}"
            );
        }
        assert!(matches!(
            EngineError::opening(Errno::NOSPC.into()),
            EngineError::Full(_)
        ));
        assert!(matches!(
            EngineError::opening(Errno::IO.into()),
            EngineError::Io(_)
        ));
    }
}
