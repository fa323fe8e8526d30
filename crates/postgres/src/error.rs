//! How a call fails, and what its caller is told.

use crate::connect::ConnectFailure;
use std::fmt::Display;
use tokio_postgres::error::SqlState;
use voight_domain::ports::StoreError;

/// Why a step ended early. Unless it says otherwise, nothing was changed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    /// The step itself says so; the connection is as good as before.
    #[error("{0}")]
    Refused(#[from] StoreError),
    /// The database has refused a statement, or the connection is lost.
    #[error("{}", describe(.0))]
    Database(#[from] tokio_postgres::Error),
    /// There is no connection to be had.
    #[error("the database cannot be reached: {0}")]
    Unreachable(String),
    /// The connection was lost, and the transaction turned out to be undone.
    #[error("the connection to the database was lost")]
    RolledBack,
    /// There is no answer.
    #[error("the database does not answer")]
    Timeout,
    /// A record cannot be read.
    #[error("{0}")]
    Damaged(String),
    /// The transaction may have been committed, and the database cannot be asked.
    #[error("{0}")]
    Unknown(String),
}

impl Error {
    /// A record that cannot be read.
    pub(crate) fn damaged(what: impl Display) -> Self {
        Self::Damaged(what.to_string())
    }

    /// Whether the same step may succeed if it is tried again at once: two transactions were in each other's way, or the
    /// connection had been lost before it was used.
    pub(crate) fn is_retryable(&self) -> bool {
        match self {
            Self::RolledBack => true,
            Self::Database(error) => error.is_closed() || is_serialization_conflict(error) || is_ended(error),
            _ => false,
        }
    }

    /// Whether a lock was waited for in vain. Nothing is wrong: others were first.
    pub(crate) fn is_lock_timeout(&self) -> bool {
        matches!(self, Self::Database(error) if error.code() == Some(&SqlState::LOCK_NOT_AVAILABLE))
    }

    /// Whether what was to be added is there.
    pub(crate) fn is_unique_violation(&self) -> bool {
        matches!(self, Self::Database(error) if error.code() == Some(&SqlState::UNIQUE_VIOLATION))
    }

    /// Whether the table, index or column that was to be made is there.
    pub(crate) fn is_duplicate_object(&self) -> bool {
        let codes = [SqlState::DUPLICATE_TABLE, SqlState::DUPLICATE_OBJECT, SqlState::DUPLICATE_COLUMN];
        matches!(self, Self::Database(error) if error.code().is_some_and(|code| codes.contains(code)))
    }

    /// Whether the connection is as good as before.
    pub(crate) const fn keeps_connection_usable(&self) -> bool {
        matches!(self, Self::Refused(_))
    }
}

impl From<Error> for StoreError {
    fn from(error: Error) -> Self {
        match error {
            Error::Refused(error) => error,
            Error::Damaged(what) => Self::Corrupt(what),
            Error::Unknown(why) => Self::MaybeApplied(why),
            Error::Database(error) if error.code() == Some(&SqlState::DISK_FULL) => Self::Full(describe(&error)),
            error => Self::NotApplied(error.to_string()),
        }
    }
}

/// Whether the database has undone a transaction because another one was in its way.
pub(crate) fn is_serialization_conflict(error: &tokio_postgres::Error) -> bool {
    let code = error.code();
    code == Some(&SqlState::T_R_SERIALIZATION_FAILURE) || code == Some(&SqlState::T_R_DEADLOCK_DETECTED)
}

/// Whether the server has ended the connection, as it does when it is stopped. Of a statement before the commit, which was not
/// reached then.
fn is_ended(error: &tokio_postgres::Error) -> bool {
    let codes = [SqlState::ADMIN_SHUTDOWN, SqlState::CRASH_SHUTDOWN, SqlState::IDLE_IN_TRANSACTION_SESSION_TIMEOUT];
    error.code().is_some_and(|code| codes.contains(code))
}

/// What the database said, on one line; the driver's own words where it said nothing.
pub(crate) fn describe(error: &tokio_postgres::Error) -> String {
    if let Some(said) = error.as_db_error() {
        return format!("the database says: {}", said.message());
    }
    if let Some(failure) = ConnectFailure::source_of(error) {
        return failure.to_string();
    }
    let cause = std::error::Error::source(error).map(|cause| format!(": {cause}"));
    format!("{error}{}", cause.unwrap_or_default())
}

/// The error for a change of something that must be there.
pub(crate) fn not_found(what: &str, which: impl Display) -> Error {
    StoreError::Conflict(format!("there is no {what} {which}")).into()
}

/// The error for something new whose place is taken.
pub(crate) fn already_exists(what: &str) -> Error {
    StoreError::Conflict(format!("{what} is taken")).into()
}

/// The error of a rule of the domain that refuses a change.
pub(crate) fn refused(why: impl Display) -> Error {
    StoreError::Conflict(why.to_string()).into()
}
