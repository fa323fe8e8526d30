//! Admin token, as the listener compares it and the command line sends it.

use std::fmt;
use subtle::ConstantTimeEq;
use voight_domain::secrets::{AdminTokenText, AdminTokenTextError};
use voight_domain::vocabulary::AdminTokenId;

/// Minimum length in characters; a shorter token could be guessed.
const MIN_LENGTH: usize = 16;

/// Admin token: the one of the data directory, or a named one. It is never displayed, and compared in constant time.
#[derive(Clone)]
pub struct AdminToken {
    text: String,
    named: Option<AdminTokenId>,
}

/// Reason why a text is not an admin token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AdminTokenError {
    /// The text is too short, or contains characters that may be changed in transit.
    Weak,
    /// The text starts like a named token but is not one.
    Named(AdminTokenTextError),
}

impl AdminToken {
    /// Parses a token: at least 16 visible ASCII characters. After `vat_`, the id and the secret of a named token.
    pub fn parse(text: &str) -> Result<Self, AdminTokenError> {
        if AdminTokenText::is_meant(text) {
            return text.parse().map(|named: AdminTokenText| Self::from(&named)).map_err(AdminTokenError::Named);
        }
        let fits = text.len() >= MIN_LENGTH && text.bytes().all(|byte| byte.is_ascii_graphic());
        if fits { Ok(Self { text: text.to_owned(), named: None }) } else { Err(AdminTokenError::Weak) }
    }

    /// Returns the id of a named token; `None` for the token of the data directory.
    pub const fn named_id(&self) -> Option<AdminTokenId> {
        self.named
    }

    /// Returns `true` if `given` is the text of the token.
    pub fn matches(&self, given: &[u8]) -> bool {
        self.text.as_bytes().ct_eq(given).into()
    }

    /// Returns the secret as the key of a MAC.
    pub(crate) fn expose(&self) -> &[u8] {
        self.text.as_bytes()
    }
}

impl From<&AdminTokenText> for AdminToken {
    fn from(named: &AdminTokenText) -> Self {
        Self { text: named.expose(), named: Some(named.id()) }
    }
}

impl fmt::Display for AdminTokenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Weak => write!(f, "an admin token has at least {MIN_LENGTH} visible ASCII characters and no space"),
            Self::Named(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for AdminTokenError {}

impl fmt::Debug for AdminToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("AdminToken(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_opens_by_its_whole_text_and_never_shows_it() {
        let token = AdminToken::parse("0123456789abcdef").unwrap();
        assert!(token.matches(b"0123456789abcdef"));
        for other in ["", "0123456789abcde", "0123456789abcdeF", "0123456789abcdef0"] {
            assert!(!token.matches(other.as_bytes()), "{other:?}");
        }
        assert!(!format!("{token:?}").contains("0123"));
    }

    #[test]
    fn what_could_be_guessed_or_mangled_is_no_token() {
        for text in ["", "0123456789abcde", "0123456789 abcdef", "0123456789abcdef\n", "schlüssel-schlüssel"] {
            assert_eq!(AdminToken::parse(text).unwrap_err(), AdminTokenError::Weak, "{text:?}");
        }
    }
}
