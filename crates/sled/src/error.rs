//! Maps the errors of sled.

use crate::layout::counter_of;
use std::io;
use std::path::Path;
use voight_engine::{EngineError, OpenError};

/// Error of a database on sled.
#[derive(Debug, thiserror::Error)]
pub(crate) enum SledError {
    /// Error of sled itself.
    #[error(transparent)]
    Sled(#[from] sled::Error),
    /// The sync after sled's flush failed.
    #[error("the log could not be synced: {0}")]
    Sync(io::Error),
    /// sled panicked.
    #[error("sled panicked")]
    Panicked,
    /// An earlier write failed, and the database was not reopened since.
    #[error("a write before has failed")]
    Failed,
    /// The log ends before the last acknowledged batch.
    #[error("its log holds {counted} of the {marked} batches that were written to it")]
    CutShort {
        /// Number of batches in the log.
        counted: u64,
        /// Number of batches that were durable.
        marked: u64,
    },
    /// The commit counter file, or the count in the database, is invalid.
    #[error("the mark of how far the log has to reach is damaged")]
    Mark,
    /// The value is so large that sled would store it in a file of its own.
    #[error("a value of {0} bytes is too large")]
    TooLarge(usize),
}

impl SledError {
    /// Converts to the error of opening the database at `path`.
    pub(crate) fn at_path(self, path: &Path) -> OpenError {
        let place = path.display();
        if matches!(self, Self::Mark) {
            return OpenError::ManualRepairNeeded {
                place: counter_of(path).display().to_string(),
                what: self.to_string(),
                remedy:
                    "move it out of the folder and start again, which creates a new one; whether the log has lost its end \
                         cannot be told this once"
                        .to_owned(),
            };
        }
        OpenError::from_engine(place, self.into())
    }
}

impl SledError {
    /// Converts to the error of reopening a directory. Without a free file descriptor, nothing was written.
    pub(crate) fn reopening(self) -> EngineError {
        match self {
            Self::Sled(sled::Error::Io(error)) => EngineError::opening(error),
            Self::Sync(error) => match EngineError::opening(error) {
                rejected @ EngineError::NotApplied(_) => rejected,
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
            SledError::Sled(sled::Error::Corruption { .. }) => {
                Self::Corrupt("sled finds its log damaged".into())
            }
            error @ (SledError::CutShort { .. } | SledError::Mark) => {
                Self::Corrupt(error.to_string())
            }
            // Every failed sync is fatal: the next sync could report success without the data that this one lost.
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
    fn only_lack_of_space_is_survived() {
        let write = |kind| EngineError::from(SledError::from(sled::Error::Io(io_error(kind))));
        assert_eq!(
            write(ErrorKind::StorageFull),
            EngineError::Full("why".into())
        );
        assert_eq!(write(ErrorKind::Other), EngineError::Io("why".into()));
        let sync = EngineError::from(SledError::Sync(io_error(ErrorKind::StorageFull)));
        assert_eq!(
            sync,
            EngineError::Io("the log could not be synced: why".into())
        );
    }

    #[test]
    fn corruption_is_reported_as_damage() {
        let corruption = || SledError::from(sled::Error::Corruption { at: None, bt: () });
        assert!(matches!(
            EngineError::from(corruption()),
            EngineError::Corrupt(_)
        ));
        assert!(matches!(
            corruption().at_path(Path::new("here")),
            OpenError::Damaged { .. }
        ));
        assert!(matches!(
            SledError::Panicked.at_path(Path::new("here")),
            OpenError::Io { .. }
        ));
    }
}
