//! Kinds of values that no key of another kind takes.

use config::ValueKind;

/// Why a value of the kind `given` is none for a key whose default has the kind `known`, if the parser would take it and
/// make something else of it. Text is the parser's to judge: variables and flags are nothing else.
pub(super) fn misfit(given: &ValueKind, known: &ValueKind) -> Option<&'static str> {
    match (given, known) {
        (ValueKind::Float(_), _) => Some("no key takes a fraction"),
        (ValueKind::Boolean(_), known) if is_number(known) => Some("a whole number was expected"),
        (given, ValueKind::Boolean(_)) if is_number(given) => Some("true or false was expected"),
        _ => None,
    }
}

const fn is_number(kind: &ValueKind) -> bool {
    matches!(kind, ValueKind::I64(_) | ValueKind::I128(_) | ValueKind::U64(_) | ValueKind::U128(_))
}
