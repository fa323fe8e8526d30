//! What sled's errors mean.

use crate::mark;
use std::io;
use std::path::Path;
use voight_store::{EngineError, OpenError};

/// Any error of a database on sled.
#[derive(Debug, thiserror::Error)]
pub(crate) enum SledError {
    /// sled's own.
    #[error(transparent)]
    Sled(#[from] sled::Error),
    /// The sync after sled's own failed.
    #[error("the log could not be synced: {0}")]
    Sync(io::Error),
    /// sled panicked.
    #[error("sled panicked")]
    Panicked,
    /// A write before has failed, and the database was not opened again since.
    #[error("a write before has failed")]
    Failed,
    /// The log ends before the last batch that was acknowledged.
    #[error("its log holds {counted} of the {marked} batches that were written to it")]
    CutShort {
        /// Batches that are there.
        counted: u64,
        /// Batches that were durable.
        marked: u64,
    },
    /// The mark, or what it is compared with, makes no sense.
    #[error("the mark of how far the log has to reach is damaged")]
    Mark,
    /// A value that sled would put into a file of its own.
    #[error("a value of {0} bytes is too large")]
    TooLarge(usize),
}

impl SledError {
    /// As an error of opening the database at `path`.
    pub(crate) fn at_path(self, path: &Path) -> OpenError {
        let place = path.display();
        if matches!(self, Self::Mark) {
            return OpenError::ManualRepairNeeded {
                place: mark::path_in(path).display().to_string(),
                what: self.to_string(),
                remedy:
                    "move it out of the folder and start again, which makes it anew; whether the log has lost its end \
                         cannot be told this once"
                        .to_owned(),
            };
        }
        match EngineError::from(self) {
            EngineError::Corrupt(what) => OpenError::damaged(place, what),
            other => OpenError::io(place, other),
        }
    }
}

impl SledError {
    /// As an error of opening a folder again, which has written nothing without a free file descriptor.
    pub(crate) fn reopening(self) -> EngineError {
        match self {
            Self::Sled(sled::Error::Io(error)) => EngineError::opening(error),
            Self::Sync(error) => match EngineError::opening(error) {
                refused @ EngineError::NotApplied(_) => refused,
                failed => EngineError::Io(format!("the log could not be synced: {failed}")),
            },
            error => error.into(),
        }
    }
}

impl From<SledError> for EngineError {
    fn from(error: SledError) -> Self {
        match error {
            SledError::Sled(sled::Error::Io(error)) => error.into(),
            SledError::Sled(sled::Error::Corruption { at: Some(at), .. }) => {
                Self::Corrupt(format!("sled finds its log damaged at {at}"))
            }
            SledError::Sled(sled::Error::Corruption { .. }) => Self::Corrupt("sled finds its log damaged".into()),
            error @ (SledError::CutShort { .. } | SledError::Mark) => Self::Corrupt(error.to_string()),
            // A failed sync is not survived, whatever its reason: the next could report success without what this one lost.
            error => Self::Io(error.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::ErrorKind;

    fn io_error(kind: ErrorKind) -> io::Error {
        io::Error::new(kind, "why")
    }

    #[test]
    fn only_a_write_without_space_is_survived() {
        let write = |kind| EngineError::from(SledError::from(sled::Error::Io(io_error(kind))));
        assert_eq!(write(ErrorKind::StorageFull), EngineError::Full("why".into()));
        assert_eq!(write(ErrorKind::Other), EngineError::Io("why".into()));
        let sync = EngineError::from(SledError::Sync(io_error(ErrorKind::StorageFull)));
        assert_eq!(sync, EngineError::Io("the log could not be synced: why".into()));
    }

    #[test]
    fn damage_is_damage() {
        let damaged = || SledError::from(sled::Error::Corruption { at: None, bt: () });
        assert!(matches!(EngineError::from(damaged()), EngineError::Corrupt(_)));
        assert!(matches!(damaged().at_path(Path::new("here")), OpenError::Damaged { .. }));
        assert!(matches!(SledError::Panicked.at_path(Path::new("here")), OpenError::Io { .. }));
    }
}
