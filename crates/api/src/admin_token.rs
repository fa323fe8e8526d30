//! Secret of an admin token, as the listener compares it and the command line proves it.

use data_encoding::HEXLOWER;
use std::fmt;
use subtle::ConstantTimeEq;
use voight_domain::secrets::{AdminTokenText, AdminTokenTextError};
use voight_domain::vocabulary::AdminTokenId;
use zeroize::ZeroizeOnDrop;

/// Minimum length in characters; a shorter token could be guessed.
const MIN_LENGTH: usize = 16;

/// Secret of an admin token: of the one of the data directory, or of a named one. It is compared in constant time, and erased
/// from memory on drop.
#[derive(Clone, ZeroizeOnDrop)]
pub struct AdminTokenSecret {
    text: String,
    #[zeroize(skip)]
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

impl AdminTokenSecret {
    /// Parses a token: at least 16 visible ASCII characters. After `vat_`, the id and the secret of a named token.
    pub fn parse(text: &str) -> Result<Self, AdminTokenError> {
        if AdminTokenText::is_meant(text) {
            return text
                .parse()
                .map(|named: AdminTokenText| Self::from(&named))
                .map_err(AdminTokenError::Named);
        }
        let fits = text.len() >= MIN_LENGTH && text.bytes().all(|byte| byte.is_ascii_graphic());
        if fits {
            Ok(Self {
                text: text.to_owned(),
                named: None,
            })
        } else {
            Err(AdminTokenError::Weak)
        }
    }

    /// Creates the token that these random bytes spell in hexadecimal.
    pub fn from_bytes(random: &[u8; 32]) -> Self {
        Self {
            text: HEXLOWER.encode(random),
            named: None,
        }
    }

    /// Returns the id of a named token; `None` for the token of the data directory.
    pub const fn named_id(&self) -> Option<AdminTokenId> {
        self.named
    }

    /// Returns `true` if `candidate` is the text of the token.
    pub fn matches(&self, candidate: &[u8]) -> bool {
        self.text.as_bytes().ct_eq(candidate).into()
    }

    /// Returns the text of the token.
    pub fn expose(&self) -> &str {
        &self.text
    }
}

impl From<&AdminTokenText> for AdminTokenSecret {
    fn from(text: &AdminTokenText) -> Self {
        Self {
            text: text.expose(),
            named: Some(text.id()),
        }
    }
}

impl fmt::Display for AdminTokenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Weak => write!(
                f,
                "an admin token has at least {MIN_LENGTH} visible ASCII characters and no space"
            ),
            Self::Named(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for AdminTokenError {}

impl fmt::Debug for AdminTokenSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("AdminTokenSecret(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn token_is_compared_completely_and_never_printed() {
        let token = AdminTokenSecret::parse("0123456789abcdef").unwrap();
        assert!(token.matches(b"0123456789abcdef"));
        for other in [
            "",
            "0123456789abcde",
            "0123456789abcdeF",
            "0123456789abcdef0",
        ] {
            assert!(!token.matches(other.as_bytes()), "{other:?}");
        }
        assert!(!format!("{token:?}").contains("0123"));
    }

    #[test]
    fn weak_or_malformed_tokens_are_rejected() {
        for text in [
            "",
            "0123456789abcde",
            "0123456789 abcdef",
            "0123456789abcdef\n",
            "schlüssel-schlüssel",
        ] {
            assert_eq!(
                AdminTokenSecret::parse(text).unwrap_err(),
                AdminTokenError::Weak,
                "{text:?}"
            );
        }
    }
}
