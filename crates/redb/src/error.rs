//! Maps the errors of redb.

use redb::{
    CommitError, CompactionError, DatabaseError, Error, StorageError, TableError, TransactionError,
};
use std::path::Path;
use voight_engine::{EngineError, OpenError};

/// Error of redb.
#[derive(Debug, thiserror::Error)]
pub(crate) enum RedbError {
    /// Error of opening the database.
    #[error(transparent)]
    Open(#[from] DatabaseError),
    /// Error of starting a transaction.
    #[error(transparent)]
    Begin(#[from] TransactionError),
    /// Error of opening the table.
    #[error(transparent)]
    Table(#[from] TableError),
    /// Error of reading or writing.
    #[error(transparent)]
    Storage(#[from] StorageError),
    /// Error of committing.
    #[error(transparent)]
    Commit(#[from] CommitError),
    /// Error of compacting.
    #[error(transparent)]
    Compact(#[from] CompactionError),
    /// An assertion of redb failed, which only a damaged file causes.
    #[error("redb met a state in the file that it never writes")]
    Panicked,
    /// The file was closed and could not be reopened.
    #[error("the file is not open")]
    Closed,
}

impl RedbError {
    /// Converts to the error of opening the file at `path`.
    pub(crate) fn at_path(self, path: &Path) -> OpenError {
        let place = path.display();
        if matches!(self, Self::Open(DatabaseError::DatabaseAlreadyOpen)) {
            return OpenError::InUse {
                place: place.to_string(),
            };
        }
        OpenError::from_engine(place, self.into())
    }

    /// Converts to the error of reopening a file. Without a free file descriptor, nothing was written.
    pub(crate) fn reopening(self) -> EngineError {
        match self.into_redb_error() {
            Error::Io(error) => EngineError::opening(error),
            error => engine_error(error),
        }
    }

    fn into_redb_error(self) -> Error {
        match self {
            Self::Open(error) => error.into(),
            Self::Begin(error) => error.into(),
            Self::Table(error) => error.into(),
            Self::Storage(error) => error.into(),
            Self::Commit(error) => error.into(),
            Self::Compact(error) => error.into(),
            Self::Panicked => Error::Corrupted(self.to_string()),
            Self::Closed => Error::DatabaseClosed,
        }
    }
}

impl From<RedbError> for EngineError {
    fn from(error: RedbError) -> Self {
        engine_error(error.into_redb_error())
    }
}

fn engine_error(error: Error) -> EngineError {
    match error {
        Error::Io(error) => error.into(),
        // redb rejects all operations after an error until it is reopened; so does a closed database.
        Error::PreviousIo | Error::DatabaseClosed => EngineError::Stale,
        error @ (Error::Corrupted(_)
        | Error::TableTypeMismatch { .. }
        | Error::TypeDefinitionChanged { .. }
        | Error::TableDoesNotExist(_)
        | Error::TableIsMultimap(_)) => EngineError::Corrupt(error.to_string()),
        error => EngineError::Io(error.to_string()),
    }
}
