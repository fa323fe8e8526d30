//! Numbers in a query.

use std::str::FromStr;

/// A whole number, written in digits alone.
pub(super) fn number<T: FromStr>(text: Option<&str>, default: T) -> Option<T> {
    let Some(text) = text else { return Some(default) };
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok()).flatten()
}
