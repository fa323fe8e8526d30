//! Errors of a transaction, and the errors of the ports that they become.

use crate::connect::TlsFailure;
use std::fmt::Display;
use tokio_postgres::error::SqlState;
use voight_domain::ports::StoreError;

/// Error that ended a transaction. Unless a variant says otherwise, the transaction changed nothing.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    /// Error returned by the body of the transaction. The connection stays usable.
    #[error("{0}")]
    Rejected(#[from] StoreError),
    /// Rejected statement or lost connection.
    #[error("{}{}", describe(.0), pooler_remedy(.0))]
    Database(#[from] tokio_postgres::Error),
    /// No connection could be made.
    #[error("the database cannot be reached: {0}")]
    Unreachable(String),
    /// Lost connection; the transaction was then found to be rolled back.
    #[error("the connection to the database was lost")]
    RolledBack,
    /// No answer within the timeout.
    #[error("the database does not answer")]
    Timeout,
    /// Corrupt record.
    #[error("{0}")]
    Damaged(String),
    /// Commit of unknown outcome: the database could not be asked whether the transaction was committed.
    #[error("{0}")]
    Unknown(String),
}

impl Error {
    /// Creates the error for a corrupt record.
    pub(crate) fn damaged(what: impl Display) -> Self {
        Self::Damaged(what.to_string())
    }

    /// Returns `true` if the same transaction may succeed when it is retried at once.
    ///
    /// Reasons are a conflict with another transaction, or a connection that was lost before the commit.
    pub(crate) fn is_retryable(&self) -> bool {
        match self {
            Self::RolledBack => true,
            Self::Database(error) => {
                error.is_closed() || is_serialization_conflict(error) || is_ended(error)
            }
            _ => false,
        }
    }

    /// Returns `true` after a lock timeout, when other transactions held the lock for too long.
    pub(crate) fn is_lock_timeout(&self) -> bool {
        matches!(self, Self::Database(error) if error.code() == Some(&SqlState::LOCK_NOT_AVAILABLE))
    }

    /// Returns `true` if a row with the same key exists already.
    pub(crate) fn is_unique_violation(&self) -> bool {
        matches!(self, Self::Database(error) if error.code() == Some(&SqlState::UNIQUE_VIOLATION))
    }

    /// Returns `true` if a verdict to mark has changed since it was read.
    ///
    /// The statement that marks verdicts fails then, and with it the commit that is sent together with it.
    pub(crate) fn is_outdated_record(&self) -> bool {
        matches!(self, Self::Database(error) if error.code() == Some(&SqlState::SUBSTRING_ERROR))
    }

    /// Returns `true` if the table, index or column to create exists already.
    pub(crate) fn is_duplicate_object(&self) -> bool {
        let codes = [
            SqlState::DUPLICATE_TABLE,
            SqlState::DUPLICATE_OBJECT,
            SqlState::DUPLICATE_COLUMN,
        ];
        matches!(self, Self::Database(error) if error.code().is_some_and(|code| codes.contains(code)))
    }

    /// Returns `true` if the connection is still usable.
    pub(crate) const fn keeps_connection_usable(&self) -> bool {
        matches!(self, Self::Rejected(_))
    }
}

impl From<Error> for StoreError {
    fn from(error: Error) -> Self {
        match error {
            Error::Rejected(error) => error,
            Error::Damaged(what) => Self::Corrupt(what),
            Error::Unknown(why) => Self::MaybeApplied(why),
            Error::Database(error) if error.code() == Some(&SqlState::DISK_FULL) => {
                Self::Full(describe(&error))
            }
            error => Self::NotApplied(error.to_string()),
        }
    }
}

/// Returns `true` if the database rolled the transaction back because of a conflict with another one.
pub(crate) fn is_serialization_conflict(error: &tokio_postgres::Error) -> bool {
    let code = error.code();
    code == Some(&SqlState::T_R_SERIALIZATION_FAILURE)
        || code == Some(&SqlState::T_R_DEADLOCK_DETECTED)
}

/// Returns `true` if the server ended the connection, for example at shutdown.
///
/// Only meaningful for a statement before the commit, because the commit was then never sent.
fn is_ended(error: &tokio_postgres::Error) -> bool {
    let codes = [
        SqlState::ADMIN_SHUTDOWN,
        SqlState::CRASH_SHUTDOWN,
        SqlState::IDLE_IN_TRANSACTION_SESSION_TIMEOUT,
    ];
    error.code().is_some_and(|code| codes.contains(code))
}

/// Remedy for a pooler that does not keep the session of a connection.
pub(crate) const POOLER_REMEDY: &str = "set pool_mode = session in PgBouncer and give it no startup options, or connect to the database itself";

/// Returns `true` if the error is that of a pooler between this process and the database.
///
/// Another session than the one that prepared a statement does not know it. `PgBouncer` reports its own faults as violations of the
/// protocol.
pub(crate) fn is_of_a_pooler(error: &tokio_postgres::Error) -> bool {
    error
        .as_db_error()
        .is_some_and(|error| is_pooler_fault(error.code(), error.message()))
}

fn is_pooler_fault(code: &SqlState, message: &str) -> bool {
    let lost_session = [
        SqlState::INVALID_SQL_STATEMENT_NAME,
        SqlState::DUPLICATE_PSTATEMENT,
    ]
    .contains(code);
    let of_the_pooler = [
        "pooling mode",
        "unsupported startup parameter",
        "prepared statements",
    ];
    let is_reported = *code == SqlState::PROTOCOL_VIOLATION
        && of_the_pooler.iter().any(|words| message.contains(words));
    lost_session || is_reported
}

fn pooler_remedy(error: &tokio_postgres::Error) -> String {
    if is_of_a_pooler(error) {
        format!("; a pooler does not keep the session of this connection: {POOLER_REMEDY}")
    } else {
        String::new()
    }
}

/// Returns the message of the server on one line, or the message of the driver if the server sent none.
pub(crate) fn describe(error: &tokio_postgres::Error) -> String {
    if let Some(database_error) = error.as_db_error() {
        return format!("the database reports: {}", database_error.message());
    }
    if let Some(failure) = TlsFailure::source_of(error) {
        return failure.to_string();
    }
    let cause = std::error::Error::source(error).map(|cause| format!(": {cause}"));
    format!("{error}{}", cause.unwrap_or_default())
}

/// Creates the error for a change of a record that does not exist.
pub(crate) fn not_found(what: &str, which: impl Display) -> Error {
    StoreError::Conflict(format!("there is no {what} {which}")).into()
}

/// Creates the error for a new record whose name or id is taken.
pub(crate) fn already_exists(what: &str) -> Error {
    StoreError::Conflict(format!("{what} is taken")).into()
}

/// Creates the error for a change that a rule of the domain rejects.
pub(crate) fn conflict(why: impl Display) -> Error {
    StoreError::Conflict(why.to_string()).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pooler_faults_differ_from_database_faults() {
        for (code, message) in [
            (
                SqlState::INVALID_SQL_STATEMENT_NAME,
                "prepared statement \"s3\" does not exist",
            ),
            (
                SqlState::DUPLICATE_PSTATEMENT,
                "prepared statement \"s3\" already exists",
            ),
            (
                SqlState::PROTOCOL_VIOLATION,
                "transaction blocks not allowed in statement pooling mode",
            ),
            (
                SqlState::PROTOCOL_VIOLATION,
                "unsupported startup parameter: options",
            ),
        ] {
            assert!(is_pooler_fault(&code, message), "{message}");
        }
        for (code, message) in [
            (SqlState::PROTOCOL_VIOLATION, "invalid message format"),
            (
                SqlState::UNDEFINED_TABLE,
                "relation \"pooling mode\" does not exist",
            ),
        ] {
            assert!(!is_pooler_fault(&code, message), "{message}");
        }
    }
}
