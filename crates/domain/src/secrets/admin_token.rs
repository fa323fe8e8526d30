//! Text of a named admin token: `vat_`, its id, and a secret derived from the pepper.

use crate::vocabulary::AdminTokenId;
use data_encoding::HEXLOWER;
use std::fmt;
use std::str::FromStr;
use zeroize::ZeroizeOnDrop;

const PREFIX: &str = "vat_";

/// Text of a named admin token. `Debug` hides the secret.
#[derive(Clone, PartialEq, Eq, ZeroizeOnDrop)]
pub struct AdminTokenText {
    #[zeroize(skip)]
    id: AdminTokenId,
    secret: [u8; 32],
}

/// Error of a text that starts like a named admin token and is invalid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "a named admin token consists of vat_, 26 characters, _ and 64 hexadecimal digits; copy it completely"
)]
pub struct AdminTokenTextError;

impl AdminTokenText {
    pub(super) const fn new(id: AdminTokenId, secret: [u8; 32]) -> Self {
        Self { id, secret }
    }

    /// Returns the id of the token.
    pub const fn id(&self) -> AdminTokenId {
        self.id
    }

    /// Returns the complete text with the secret.
    pub fn expose(&self) -> String {
        format!("{PREFIX}{}_{}", self.id, HEXLOWER.encode(&self.secret))
    }

    /// Returns `true` if `text` has the prefix of a named admin token.
    pub fn is_meant(text: &str) -> bool {
        text.starts_with(PREFIX)
    }
}

impl FromStr for AdminTokenText {
    type Err = AdminTokenTextError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (id, secret) = text
            .strip_prefix(PREFIX)
            .and_then(|id_and_secret| id_and_secret.split_once('_'))
            .ok_or(AdminTokenTextError)?;
        let id = id.parse().map_err(|_| AdminTokenTextError)?;
        let secret = HEXLOWER
            .decode(secret.as_bytes())
            .ok()
            .and_then(|bytes| bytes.try_into().ok());
        Ok(Self {
            id,
            secret: secret.ok_or(AdminTokenTextError)?,
        })
    }
}

impl fmt::Debug for AdminTokenText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "AdminTokenText({PREFIX}{}_…)", self.id)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Pepper, Secrets};
    use super::*;

    fn text(pepper: u8, id: u8, generation: u32) -> AdminTokenText {
        let secrets = Secrets::derive(&Pepper::from_bytes([pepper; 32]), 0);
        secrets.admin_token(AdminTokenId::from_bytes([id; 16]), generation)
    }

    #[test]
    fn secret_depends_on_id_and_generation() {
        let first = text(1, 1, 0);
        assert_eq!(first, text(1, 1, 0));
        for other in [text(2, 1, 0), text(1, 2, 0), text(1, 1, 1)] {
            assert_ne!(first.secret, other.secret);
        }
    }

    #[test]
    fn admin_token_debug_hides_the_secret() {
        let first = text(1, 1, 0);
        assert_eq!(first.expose().parse(), Ok(first.clone()));
        assert!(!format!("{first:?}").contains(&HEXLOWER.encode(&first.secret)));
        let token_text = first.expose();
        for bad in [
            "",
            "vat_",
            "vat_x_00",
            &token_text[1..],
            &token_text[..token_text.len() - 1],
            &format!("{token_text}0"),
        ] {
            assert_eq!(
                bad.parse::<AdminTokenText>(),
                Err(AdminTokenTextError),
                "{bad:?}"
            );
        }
    }
}
