//! Numbers in query strings.

use std::str::FromStr;

/// Parses a whole number that consists of digits only.
pub(super) fn number<T: FromStr>(text: Option<&str>, default: T) -> Option<T> {
    let Some(text) = text else {
        return Some(default);
    };
    text.bytes()
        .all(|byte| byte.is_ascii_digit())
        .then(|| text.parse().ok())
        .flatten()
}
