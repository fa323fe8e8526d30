//! Kinds of values that no key of another kind takes.

use config::ValueKind;

/// Why a value of the kind `given` is none for a key whose default has the kind `known`, if the parser would take it and
/// make something else of it. Text is the parser's to judge: variables and flags are nothing else.
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

/// Why a value of the kind `given` is neither a list of tables nor an element of one.
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
