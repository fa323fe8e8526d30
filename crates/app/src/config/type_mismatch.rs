//! Type checks for configuration values.

use config::ValueKind;

/// Returns the error for a value that the parser would coerce silently.
///
/// The value has kind `given`, the default of its key has kind `known`. Text is left to the parser: variables and flags are
/// always text.
pub(super) fn type_mismatch(given: &ValueKind, known: &ValueKind) -> Option<&'static str> {
    match (given, known) {
        (ValueKind::Float(_), ValueKind::String(_)) => {
            Some("put it in quotes, so that every digit counts as it is written")
        }
        (ValueKind::Float(_), _) => Some("no key takes a fraction"),
        (ValueKind::Boolean(_), known) if is_number(known) => Some("a whole number was expected"),
        (given, ValueKind::Boolean(_)) if is_number(given) => Some("true or false was expected"),
        _ => None,
    }
}

/// Returns the error for a value of kind `given` in place of a list of tables or its element.
pub(super) fn no_tables(given: &ValueKind) -> Option<&'static str> {
    match given {
        ValueKind::Table(_) => None,
        ValueKind::Array(items) if items.is_empty() => None,
        _ => Some("tables were expected, each under a header in double brackets"),
    }
}

const fn is_number(kind: &ValueKind) -> bool {
    matches!(kind, ValueKind::I64(_) | ValueKind::I128(_) | ValueKind::U64(_) | ValueKind::U128(_))
}
