//! Validation of the reasons that operators give.

use super::ServiceError;
use crate::vocabulary::check_text;

/// The number of hexadecimal digits of an address.
const ADDRESS_DIGITS: usize = 40;

/// Validates the reason for `what`. The audit log keeps it and is never erased from, so a reason with an address is
/// rejected.
pub(super) fn validate_reason<'a>(what: &str, reason: &'a str) -> Result<&'a str, ServiceError> {
    if reason.trim().is_empty() {
        return Err(ServiceError::Invalid(format!(
            "{what} needs a reason; it is written to the audit log"
        )));
    }
    check_text(reason).map_err(|error| ServiceError::Invalid(format!("in the reason, {error}")))?;
    if reason
        .split(|letter: char| !letter.is_ascii_hexdigit())
        .any(|piece| piece.len() == ADDRESS_DIGITS)
    {
        let message = "the reason names an address, and entries of the audit log are never removed: omit the address";
        return Err(ServiceError::Invalid(message.into()));
    }
    Ok(reason)
}

/// Validates an optional reason for `what` by the same rules; returns an empty text if it is missing.
pub(super) fn optional_reason<'a>(
    what: &str,
    reason: Option<&'a str>,
) -> Result<&'a str, ServiceError> {
    reason.map_or(Ok(""), |reason| validate_reason(what, reason))
}

/// Returns the detail of an audit entry, followed by the reason.
pub(super) fn with_reason(detail: String, reason: &str) -> String {
    match (detail.is_empty(), reason.is_empty()) {
        (_, true) => detail,
        (true, false) => reason.to_owned(),
        (false, false) => format!("{detail}: {reason}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rejection(reason: &str) -> String {
        validate_reason("an erase", reason).unwrap_err().to_string()
    }

    #[test]
    fn reason_contains_no_address() {
        let address = "52908400098527886E0F7030069857D2E4169EE7";
        assert_eq!(
            validate_reason("an erase", "asked by mail, ticket 7"),
            Ok("asked by mail, ticket 7")
        );
        assert!(rejection(" ").starts_with("an erase needs a reason"));
        for reason in [
            format!("for 0x{address}."),
            address.to_lowercase(),
            format!("({address})"),
        ] {
            assert!(rejection(&reason).contains("omit the address"), "{reason}");
        }
        assert!(rejection("ticket \u{202e}7").starts_with("in the reason, U+202E reorders"));
        assert!(rejection("ticket\n7").starts_with("in the reason, U+000A"));
        // A transaction hash is longer.
        assert!(validate_reason("an erase", &format!("0x{address}{}", "0".repeat(24))).is_ok());
    }
}
