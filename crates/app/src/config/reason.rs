//! Reasons why a value is rejected, in the terms of the configuration and not of its parsers.

use super::key::with_index;
use super::schema::{ConfigKey, keys};
use config::ConfigError;

/// Returns the expected form of the value of `key` that an error is about.
pub(super) fn reason(key: &str, error: &ConfigError) -> String {
    let expected = keys().get(&with_index(key, "")).and_then(ConfigKey::expected);
    expected.unwrap_or_else(|| of_error(error))
}

/// Returns the cause of an error that concerns no single key, or a key of free text.
pub(super) fn of_error(error: &ConfigError) -> String {
    match error {
        ConfigError::At { error, .. } => of_error(error),
        ConfigError::Type { expected, .. } => format!("{expected} was expected"),
        other => match other.to_string().as_str() {
            "invalid socket address syntax" => {
                "an IP address and a port were expected, for example 127.0.0.1:8080".to_owned()
            }
            text => text.to_owned(),
        },
    }
}
