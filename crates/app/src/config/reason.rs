//! Reasons why a value is rejected, in the terms of the configuration and not of its parsers.

use super::key::with_index;
use super::schema::{ConfigKey, keys};
use config::ConfigError;

/// Returns the reason why the value of `key` is rejected: the values that the key admits, or else the cause of the error.
pub(super) fn reason(key: &str, error: &ConfigError) -> String {
    let expected_value = keys()
        .get(&with_index(key, ""))
        .and_then(ConfigKey::expected);
    expected_value.unwrap_or_else(|| error_cause(error))
}

/// Returns the cause of an error that concerns no single key, or a key of free text.
pub(super) fn error_cause(error: &ConfigError) -> String {
    match error {
        ConfigError::At { error, .. } => error_cause(error),
        ConfigError::Type { expected, .. } => format!("{expected} was expected"),
        other => match other.to_string().as_str() {
            "invalid socket address syntax" => {
                "an IP address and a port were expected, for example 127.0.0.1:8080".to_owned()
            }
            text => text.to_owned(),
        },
    }
}
