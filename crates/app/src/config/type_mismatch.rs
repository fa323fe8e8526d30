//! Type checks for configuration values.

use super::schema::{ConfigKey, ValueType};
use config::ValueKind;

/// Returns the error for a value that the parser would coerce silently.
///
/// Text is left to the parser: variables and flags are always text.
pub(super) fn type_mismatch(value: &ValueKind, key: &ConfigKey) -> Option<String> {
    match (value, key.value_type()) {
        (ValueKind::Float(_), ValueType::String) => {
            Some("put it in quotes, so that every digit counts as it is written".to_owned())
        }
        (ValueKind::Float(_), _) => Some("no key takes a fraction".to_owned()),
        (ValueKind::Boolean(_), ValueType::Integer) => key.expected(),
        (value, ValueType::Boolean) if is_number(value) => key.expected(),
        _ => None,
    }
}

/// Returns the error for a value of kind `value` in place of a list of tables or its element.
pub(super) fn no_tables(value: &ValueKind) -> Option<String> {
    match value {
        ValueKind::Table(_) => None,
        ValueKind::Array(items) if items.is_empty() => None,
        _ => Some("tables were expected, each under a header in double brackets".to_owned()),
    }
}

const fn is_number(kind: &ValueKind) -> bool {
    matches!(
        kind,
        ValueKind::I64(_) | ValueKind::I128(_) | ValueKind::U64(_) | ValueKind::U128(_)
    )
}
