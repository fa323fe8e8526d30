//! Value of the `Idempotency-Key` header.

use std::str::FromStr;

/// Idempotency key of a caller: 1 to 255 printable ASCII characters.
///
/// Sent bare or as a quoted string (draft-ietf-httpapi-idempotency-key-header-07 requires the quoted form; both mean
/// the same key).
///
/// ```
/// use voight_domain::vocabulary::IdempotencyKey;
///
/// let key: IdempotencyKey = "claim-42".parse()?;
/// assert_eq!(key, "\"claim-42\"".parse()?);
/// assert!("".parse::<IdempotencyKey>().is_err());
/// # Ok::<(), voight_domain::vocabulary::IdempotencyKeyError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct IdempotencyKey(String);

/// Error returned for a text that is not an idempotency key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("Idempotency-Key is a token or quoted string of 1 to 255 printable ASCII characters")]
pub struct IdempotencyKeyError;

impl IdempotencyKey {
    /// Returns the key without quotes.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for IdempotencyKey {
    type Err = IdempotencyKeyError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let key = match text.strip_prefix('"') {
            Some(rest) => unquote(rest).ok_or(IdempotencyKeyError)?,
            None if text.contains(['"', ' ', ',', ';', '\\']) => return Err(IdempotencyKeyError),
            None => text.to_owned(),
        };
        let printable = key.bytes().all(|b| (0x20..0x7f).contains(&b));
        if printable && (1..=255).contains(&key.len()) {
            Ok(Self(key))
        } else {
            Err(IdempotencyKeyError)
        }
    }
}

/// Parses a structured-field string after its opening quote.
///
/// The syntax is that of [RFC 8941](https://www.rfc-editor.org/rfc/rfc8941), section 3.3.3.
fn unquote(rest: &str) -> Option<String> {
    let mut key = String::new();
    let mut chars = rest.chars();
    loop {
        match chars.next()? {
            '"' => return chars.as_str().is_empty().then_some(key),
            '\\' => key.push(chars.next().filter(|c| matches!(c, '"' | '\\'))?),
            other => key.push(other),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn quoted_and_bare_keys_are_equal() {
        let bare: IdempotencyKey = "8e03978e-40d5-43dd".parse().unwrap();
        assert_eq!(Ok(bare), "\"8e03978e-40d5-43dd\"".parse());
        assert_eq!(
            r#""a\"b""#.parse::<IdempotencyKey>().unwrap().as_str(),
            "a\"b"
        );
    }

    #[test]
    fn malformed_keys_are_rejected() {
        let long = "k".repeat(256);
        for text in [
            "",
            "\"\"",
            "\"open",
            "\"a\"b",
            "a b",
            "a,b",
            "clé",
            long.as_str(),
        ] {
            assert_eq!(
                text.parse::<IdempotencyKey>(),
                Err(IdempotencyKeyError),
                "{text}"
            );
        }
    }

    proptest! {
        #[test]
        fn parser_never_panics(text: String) {
            let _ = text.parse::<IdempotencyKey>();
        }
    }
}
