//! Errors of stores as failures of a command, with their exit codes.

use crate::exit::{CommandError, Exit};
use voight_embedded::RestoreError;
use voight_engine::OpenError;
use voight_postgres::OpenError as PostgresOpenError;

/// Converts an error of opening a store to a failure with its exit code. A store that another process holds is unreachable.
pub(super) fn open_failure(error: &OpenError) -> CommandError {
    let exit = match error {
        OpenError::Missing { .. } => Exit::NotFound,
        OpenError::InUse { .. } => Exit::Unreachable,
        OpenError::Io { .. }
        | OpenError::Damaged { .. }
        | OpenError::ManualRepairNeeded { .. }
        | OpenError::NoBackup { .. } => Exit::Failure,
        _ => Exit::Configuration,
    };
    CommandError::new(exit, error.to_string())
}

/// Converts an error of opening a database to a failure with its exit code. A database that does not respond is unreachable.
pub(super) fn postgres_open_failure(error: &PostgresOpenError) -> CommandError {
    let exit = match error {
        PostgresOpenError::Unreachable { .. } => Exit::Unreachable,
        PostgresOpenError::Damaged { .. } | PostgresOpenError::OutcomeUnknown { .. } => {
            Exit::Failure
        }
        PostgresOpenError::Missing { .. } => Exit::NotFound,
        _ => Exit::Configuration,
    };
    CommandError::new(exit, error.to_string())
}

/// Converts the error; names the source if the source caused it.
pub(super) fn restore_failure(error: &RestoreError, source: &str) -> CommandError {
    match error {
        RestoreError::Open(error) => open_failure(error),
        RestoreError::Occupied { .. } => CommandError::configuration(error.to_string()),
        RestoreError::Dump(_) | RestoreError::Inconsistent { .. } => {
            CommandError::internal(format!("{source}: {error}"))
        }
        RestoreError::ContentMismatch => CommandError::internal(error.to_string()),
    }
}
