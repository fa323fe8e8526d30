//! Conversion of driver and pool errors into errors of opening a store.

use super::OpenError;
use crate::connect::TlsFailure;
use crate::connect::url::PostgresUrl;
use crate::error::{describe, is_of_a_pooler};
use deadpool_postgres::{HookError, PoolError};
use std::fmt::Display;
use tokio_postgres::error::SqlState;

impl OpenError {
    pub(crate) fn unreachable(url: &PostgresUrl, why: impl Display) -> Self {
        Self::Unreachable {
            place: url.to_string(),
            why: why.to_string(),
        }
    }

    pub(crate) fn unusable(url: &PostgresUrl, why: impl Display) -> Self {
        Self::Unusable {
            place: url.to_string(),
            why: why.to_string(),
        }
    }

    /// Converts the error of a pool that returned no connection.
    pub(crate) fn of_pool(url: &PostgresUrl, error: &PoolError) -> Self {
        match error {
            PoolError::Backend(error) | PoolError::PostCreateHook(HookError::Backend(error)) => {
                Self::of_database(url, error)
            }
            error => Self::unreachable(url, crate::connect::describe(error)),
        }
    }

    /// Converts an error of the driver by its SQLSTATE.
    pub(crate) fn of_database(url: &PostgresUrl, error: &tokio_postgres::Error) -> Self {
        let place = url.to_string();
        let why = describe(error);
        let Some(code) = error.code() else {
            return Self::of_connection(url, error, why);
        };
        match *code {
            _ if is_of_a_pooler(error) => Self::Pooled { place, why },
            SqlState::INVALID_AUTHORIZATION_SPECIFICATION if why.contains("channel binding") => {
                Self::Intercepted { place, why }
            }
            SqlState::INVALID_PASSWORD | SqlState::INVALID_AUTHORIZATION_SPECIFICATION => {
                Self::Unauthorised { place, why }
            }
            SqlState::INVALID_CATALOG_NAME => Self::NoDatabase {
                place,
                database: url.database().to_owned(),
            },
            // A schema that this user has no access to is reported like one that does not exist.
            SqlState::INSUFFICIENT_PRIVILEGE | SqlState::INVALID_SCHEMA_NAME => {
                Self::PermissionDenied { place, why }
            }
            SqlState::READ_ONLY_SQL_TRANSACTION => Self::ReadOnly { place },
            _ => Self::Unusable { place, why },
        }
    }

    /// Converts a connection error without a message of the server.
    fn of_connection(url: &PostgresUrl, error: &tokio_postgres::Error, why: String) -> Self {
        let place = url.to_string();
        match TlsFailure::source_of(error) {
            Some(TlsFailure::NoTls) => {
                return Self::NoTls {
                    place,
                    mode: url.ssl_mode().to_string(),
                };
            }
            Some(TlsFailure::Certificate(_)) => return Self::Unverified { place, why },
            Some(TlsFailure::Handshake(_)) => return Self::Unusable { place, why },
            None => {}
        }
        if why.contains("password missing") {
            return Self::Unauthorised { place, why };
        }
        // The URL requires channel binding, and the server does not offer it.
        if why.contains("channel binding") {
            return Self::Unusable { place, why };
        }
        Self::Unreachable { place, why }
    }
}
