//! Secrets of users: the text of a sign-in link or a session, and the digest that is stored instead.

use crate::vocabulary::UserId;
use data_encoding::BASE64URL_NOPAD;
use std::fmt;
use subtle::ConstantTimeEq;
use zeroize::{Zeroize, Zeroizing};

/// Use of a secret. A secret of one kind is never accepted as the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UserSecretKind {
    /// Sign-in link.
    Link,
    /// Session in the console.
    Session,
}

/// Secret of a user: `vul_` for a sign-in link or `vus_` for a session, the id of the user, a dot, and 256 random bits.
///
/// `Debug` hides the random bits.
#[derive(Clone)]
pub struct UserSecret {
    kind: UserSecretKind,
    user: UserId,
    random: Zeroizing<[u8; 32]>,
}

/// HMAC-SHA-256 of the secret of a user under the pepper, which is stored instead of the secret.
#[derive(Clone, Copy)]
pub struct UserSecretDigest(pub [u8; 32]);

impl UserSecretKind {
    const fn prefix(self) -> &'static str {
        match self {
            Self::Link => "vul_",
            Self::Session => "vus_",
        }
    }
}

impl UserSecret {
    /// Creates the secret from random bytes.
    pub fn new(kind: UserSecretKind, user: UserId, random: [u8; 32]) -> Self {
        Self {
            kind,
            user,
            random: Zeroizing::new(random),
        }
    }

    /// Parses the text of a secret of this kind; `None` for any other text.
    pub fn parse(kind: UserSecretKind, text: &str) -> Option<Self> {
        let (user, random) = text.strip_prefix(kind.prefix())?.split_once('.')?;
        let mut bytes = BASE64URL_NOPAD.decode(random.as_bytes()).ok()?;
        let random = bytes.as_slice().try_into();
        bytes.zeroize();
        Some(Self::new(kind, user.parse().ok()?, random.ok()?))
    }

    /// Returns the id of the user.
    pub const fn user(&self) -> UserId {
        self.user
    }

    /// Returns the complete text. Callers must show it once, store only its digest, and never log it.
    pub fn expose(&self) -> Zeroizing<String> {
        let random = BASE64URL_NOPAD.encode(self.random.as_slice());
        Zeroizing::new(format!("{}{}.{random}", self.kind.prefix(), self.user))
    }
}

impl fmt::Debug for UserSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "UserSecret({}{}.…)", self.kind.prefix(), self.user)
    }
}

impl PartialEq for UserSecretDigest {
    /// Compares in constant time.
    fn eq(&self, other: &Self) -> bool {
        self.0.ct_eq(&other.0).into()
    }
}

impl Eq for UserSecretDigest {}

impl fmt::Debug for UserSecretDigest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "UserSecretDigest({}…)", &self.to_string()[..8])
    }
}

impl fmt::Display for UserSecretDigest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&data_encoding::HEXLOWER.encode(&self.0))
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Pepper, Secrets};
    use super::*;

    fn secret(kind: UserSecretKind, user: u8, random: u8) -> UserSecret {
        UserSecret::new(kind, UserId::from_bytes([user; 16]), [random; 32])
    }

    #[test]
    fn user_secret_is_for_one_kind() {
        let session = secret(UserSecretKind::Session, 1, 2);
        let text = session.expose();
        assert_eq!(text.len(), 4 + 26 + 1 + 43);
        let parsed_session = UserSecret::parse(UserSecretKind::Session, &text).unwrap();
        assert_eq!(*parsed_session.expose(), *text);
        assert_eq!(parsed_session.user(), session.user());
        assert!(UserSecret::parse(UserSecretKind::Link, &text).is_none());
        let link_text = text.replacen("vus_", "vul_", 1);
        assert!(UserSecret::parse(UserSecretKind::Link, &link_text).is_some());
    }

    #[test]
    fn malformed_user_secrets_are_rejected() {
        let text = secret(UserSecretKind::Link, 1, 2).expose();
        let upper_case = text.to_ascii_uppercase();
        for bad in [
            "",
            "vul_",
            "vul_.",
            &text[1..],
            &text[..text.len() - 1],
            &format!("{}A", *text),
            &format!("{}=", *text),
            &upper_case,
        ] {
            assert!(
                UserSecret::parse(UserSecretKind::Link, bad).is_none(),
                "{bad:?}"
            );
        }
    }

    #[test]
    fn user_secret_debug_hides_the_secret() {
        let link = secret(UserSecretKind::Link, 1, 2);
        assert_eq!(
            format!("{link:?}"),
            format!("UserSecret(vul_{}.…)", link.user())
        );
    }

    #[test]
    fn digest_depends_on_every_part() {
        let digest = |pepper: u8, kind, user, random| {
            Secrets::derive(&Pepper::from_bytes([pepper; 32]), 0)
                .user_secret_digest(&secret(kind, user, random))
        };
        let first = digest(1, UserSecretKind::Link, 1, 1);
        assert_eq!(first, digest(1, UserSecretKind::Link, 1, 1));
        for other in [
            digest(2, UserSecretKind::Link, 1, 1),
            digest(1, UserSecretKind::Session, 1, 1),
            digest(1, UserSecretKind::Link, 2, 1),
            digest(1, UserSecretKind::Link, 1, 2),
        ] {
            assert_ne!(first, other);
        }
    }
}
