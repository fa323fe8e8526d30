//! What redb's errors mean.

use redb::{CommitError, CompactionError, DatabaseError, Error, StorageError, TableError, TransactionError};
use std::path::Path;
use voight_store::{EngineError, OpenError};

/// Any of redb's errors.
#[derive(Debug, thiserror::Error)]
pub(crate) enum RedbError {
    /// While opening.
    #[error(transparent)]
    Open(#[from] DatabaseError),
    /// While beginning a transaction.
    #[error(transparent)]
    Begin(#[from] TransactionError),
    /// While opening the table.
    #[error(transparent)]
    Table(#[from] TableError),
    /// While reading or writing.
    #[error(transparent)]
    Storage(#[from] StorageError),
    /// While committing.
    #[error(transparent)]
    Commit(#[from] CommitError),
    /// While compacting.
    #[error(transparent)]
    Compact(#[from] CompactionError),
    /// An assertion of redb failed, which only a damaged file makes it meet.
    #[error("redb met a state in the file that it never writes")]
    Panicked,
    /// The file was closed and could not be opened again.
    #[error("the file is not open")]
    Closed,
}

impl RedbError {
    /// As an error of opening the file at `path`.
    pub(crate) fn at_path(self, path: &Path) -> OpenError {
        let place = path.display();
        if matches!(self, Self::Open(DatabaseError::DatabaseAlreadyOpen)) {
            return OpenError::InUse { place: place.to_string() };
        }
        match EngineError::from(self) {
            EngineError::Corrupt(what) => OpenError::damaged(place, what),
            other => OpenError::io(place, other),
        }
    }

    /// As an error of opening a file again, which has written nothing without a free file descriptor.
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
        // After an error redb refuses everything until it is opened again; so does a database that was closed for that.
        Error::PreviousIo | Error::DatabaseClosed => EngineError::Stale,
        error @ (Error::Corrupted(_)
        | Error::TableTypeMismatch { .. }
        | Error::TypeDefinitionChanged { .. }
        | Error::TableDoesNotExist(_)
        | Error::TableIsMultimap(_)) => EngineError::Corrupt(error.to_string()),
        error => EngineError::Io(error.to_string()),
    }
}
