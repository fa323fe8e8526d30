//! Pepper: the root secret of an installation.

use hkdf::Hkdf;
use sha2::Sha256;
use std::fmt;
use std::str::FromStr;
use zeroize::{Zeroize, ZeroizeOnDrop};

/// Root secret of 32 bytes, stored outside of the store.
///
/// A stolen store alone therefore confirms no key and no guess. Every other secret is derived from the pepper with
/// HKDF-SHA-256 ([RFC 5869](https://www.rfc-editor.org/rfc/rfc5869)), a label and a number; nodes that share a pepper
/// therefore verify each other's tokens.
#[derive(Clone, Zeroize, ZeroizeOnDrop)]
pub struct Pepper([u8; 32]);

/// Error returned for a text that is not a pepper.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the pepper is 64 hexadecimal digits (32 random bytes)")]
pub struct PepperError;

/// Commitment by which a store recognises its pepper without knowing it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PepperCommitment(pub [u8; 16]);

impl Pepper {
    /// Creates the pepper from these bytes.
    pub const fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// Returns the pepper as 64 hexadecimal digits, for the file that stores it.
    pub fn to_hex(&self) -> String {
        data_encoding::HEXLOWER.encode(&self.0)
    }

    /// Returns the commitment that a store may hold.
    pub fn commitment(&self) -> PepperCommitment {
        let mut short = [0; 16];
        short.copy_from_slice(&self.derive("store commitment", 0)[..16]);
        PepperCommitment(short)
    }

    /// Returns the derived secret with this `label` and `number`; rotation increments the number.
    pub(super) fn derive(&self, label: &str, number: u32) -> [u8; 32] {
        let mut info = b"voight ".to_vec();
        info.extend_from_slice(label.as_bytes());
        info.extend_from_slice(&number.to_be_bytes());
        let mut out = [0; 32];
        match Hkdf::<Sha256>::new(None, &self.0).expand(&info, &mut out) {
            Ok(()) => out,
            // HKDF rejects only outputs of more than 255 hashes; this one is one hash long.
            Err(_) => unreachable!("32 bytes are within HKDF's limit"),
        }
    }
}

impl FromStr for Pepper {
    type Err = PepperError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let bytes = data_encoding::HEXLOWER_PERMISSIVE
            .decode(text.trim().as_bytes())
            .map_err(|_| PepperError)?;
        bytes.try_into().map(Self).map_err(|_| PepperError)
    }
}

impl fmt::Debug for Pepper {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Pepper(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pepper_debug_hides_the_secret() {
        let pepper = Pepper::from_bytes([0xa5; 32]);
        let parsed_pepper: Pepper = format!("{}\n", pepper.to_hex()).parse().unwrap();
        assert_eq!(parsed_pepper.commitment(), pepper.commitment());
        assert_eq!(format!("{pepper:?}"), "Pepper(…)");
        assert!("abc".parse::<Pepper>().is_err());
    }

    #[test]
    fn derived_secrets_are_unrelated() {
        let pepper = Pepper::from_bytes([1; 32]);
        let secrets = [
            pepper.derive("a", 0),
            pepper.derive("a", 1),
            pepper.derive("b", 0),
        ];
        assert!(secrets[0] != secrets[1] && secrets[0] != secrets[2] && secrets[1] != secrets[2]);
        assert_ne!(
            pepper.commitment(),
            Pepper::from_bytes([2; 32]).commitment()
        );
    }
}
