//! Ed25519 signatures, which can be verified with the published keys.

use super::public_key::{encode, header};
use super::{Pepper, PublicKey, PublicKeys};
use crate::vocabulary::Timestamp;
use ed25519_dalek::{Signer as _, SigningKey};
use std::time::Duration;

/// Time after a rotation in which signatures of a retired key are accepted.
///
/// Another node learns of the rotation within a second, and its clock may be ahead.
pub const RETIREMENT_MARGIN: Duration = Duration::from_mins(1);

/// Rotation of the signing keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SigningKeyRotation {
    /// The number of the key that signs from then on.
    pub number: u32,
    /// The time of the rotation.
    pub at: Timestamp,
}

/// Signs receipts and ledger heads as compact JWS with `EdDSA`.
///
/// Every JOSE library can verify the signatures ([RFC 7515](https://www.rfc-editor.org/rfc/rfc7515), [RFC
/// 8037](https://www.rfc-editor.org/rfc/rfc8037)).
#[derive(Clone)]
pub struct Signer {
    number: u32,
    current: SigningKey,
    published: PublicKeys,
    /// The key after the one in use: another node may have rotated just before.
    next: PublicKeys,
    rotations: Vec<SigningKeyRotation>,
}

impl Signer {
    /// Derives the key of this number and all earlier ones, which these rotations retired.
    pub(super) fn derive(pepper: &Pepper, number: u32, rotations: Vec<SigningKeyRotation>) -> Self {
        let seed = |n| SigningKey::from_bytes(&pepper.derive("receipt signing", n));
        let published_keys = (0..=number)
            .rev()
            .map(|n| PublicKey::new(seed(n).verifying_key()))
            .collect();
        let next = PublicKey::new(seed(number.saturating_add(1)).verifying_key());
        Self {
            number,
            current: seed(number),
            published: PublicKeys(published_keys),
            next: PublicKeys(vec![next]),
            rotations,
        }
    }

    /// Returns the number of the key in use; rotation increments it.
    pub const fn number(&self) -> u32 {
        self.number
    }

    /// Returns all published keys, the current one first.
    pub const fn public_keys(&self) -> &PublicKeys {
        &self.published
    }

    /// Returns the public half of the key in use.
    pub fn public_key(&self) -> &PublicKey {
        &self.published.0[0]
    }

    /// Returns the known rotations.
    pub(super) fn rotations(&self) -> &[SigningKeyRotation] {
        &self.rotations
    }

    /// Returns the time at which the key of this number was retired.
    ///
    /// Returns `None` for the key in use, and if the time is unknown.
    pub fn retired_at(&self, number: u32) -> Option<Timestamp> {
        let next = number.checked_add(1)?;
        self.rotations
            .iter()
            .find(|rotation| rotation.number == next)
            .map(|rotation| rotation.at)
    }

    /// Returns every public key with the time of its retirement, the current one first.
    pub fn dated_keys(&self) -> impl Iterator<Item = (&PublicKey, Option<Timestamp>)> {
        (0..=self.number)
            .rev()
            .zip(&self.published.0)
            .map(|(number, key)| (key, self.retired_at(number)))
    }

    /// Returns a compact JWS of type `typ` over a JSON payload.
    pub fn sign(&self, typ: &str, payload: &str) -> String {
        let header = header(&self.public_key().kid, typ);
        let signing_input = format!(
            "{}.{}",
            encode(header.as_bytes()),
            encode(payload.as_bytes())
        );
        let signature = self.current.sign(signing_input.as_bytes());
        format!("{signing_input}.{}", encode(&signature.to_bytes()))
    }

    /// Returns the payload of a compact JWS of type `typ` that a published key signed.
    ///
    /// Returns `None` for any other text.
    pub fn verify(&self, typ: &str, token: &str) -> Option<String> {
        self.published.verify(typ, token)
    }

    /// Returns the value in a JWS of type `typ` that a published key signed while it was in use.
    ///
    /// `read` parses the payload. The key after the one in use is accepted, too, because another node may have rotated
    /// just before. `issued_at` returns the date in the value. A retired key is accepted for dates up to
    /// [`RETIREMENT_MARGIN`] after its retirement; if the time of the retirement is unknown, it is rejected.
    pub fn verify_dated<T>(
        &self,
        typ: &str,
        token: &str,
        read: impl FnOnce(&str) -> Option<T>,
        issued_at: impl FnOnce(&T) -> Timestamp,
    ) -> Option<T> {
        if let Some(payload) = self.next.verify(typ, token) {
            return read(&payload);
        }
        let (place, payload) = self.published.verify_by(typ, token)?;
        let value = read(&payload)?;
        let number = self.number.checked_sub(u32::try_from(place).ok()?)?;
        let is_in_time =
            |retired: Timestamp| issued_at(&value) <= retired.saturating_add(RETIREMENT_MARGIN);
        let counts = number == self.number || self.retired_at(number).is_some_and(is_in_time);
        counts.then_some(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changed_token_has_no_valid_signature() {
        let signer = Signer::derive(&Pepper::from_bytes([5; 32]), 0, vec![]);
        let token = signer.sign("receipt+jwt", r#"{"a":1}"#);
        assert_eq!(
            signer.verify("receipt+jwt", &token).as_deref(),
            Some(r#"{"a":1}"#)
        );
        assert_eq!(signer.verify("head+jwt", &token), None);
        for place in (0..token.len()).step_by(3) {
            let mut bytes = token.clone().into_bytes();
            bytes[place] = if bytes[place] == b'A' { b'B' } else { b'A' };
            assert_eq!(
                signer.verify("receipt+jwt", &String::from_utf8(bytes).unwrap()),
                None,
                "{place}"
            );
        }
    }

    #[test]
    fn older_tokens_verify_after_rotation() {
        let pepper = Pepper::from_bytes([6; 32]);
        let token = Signer::derive(&pepper, 0, vec![]).sign("receipt+jwt", "{}");
        let rotated_signer = Signer::derive(&pepper, 1, vec![]);
        assert_eq!(rotated_signer.public_keys().0.len(), 2);
        assert!(rotated_signer.verify("receipt+jwt", &token).is_some());
        assert!(
            Signer::derive(&pepper, 0, vec![])
                .verify("receipt+jwt", &rotated_signer.sign("receipt+jwt", "{}"))
                .is_none()
        );
    }

    #[test]
    fn retired_key_verifies_no_later_token() {
        let pepper = Pepper::from_bytes([6; 32]);
        let token = |number| Signer::derive(&pepper, number, vec![]).sign("receipt+jwt", "{}");
        let at = |seconds| {
            Timestamp::from_millis(1_800_000_000_000).saturating_add(Duration::from_secs(seconds))
        };
        let rotation = |number, seconds| SigningKeyRotation {
            number,
            at: at(seconds),
        };
        let rotated_signer = Signer::derive(&pepper, 3, vec![rotation(2, 100), rotation(3, 200)]);
        let counts = |number, seconds| {
            rotated_signer
                .verify_dated(
                    "receipt+jwt",
                    &token(number),
                    |_| Some(()),
                    |()| at(seconds),
                )
                .is_some()
        };
        let margin = RETIREMENT_MARGIN.as_secs();
        assert!(counts(3, 0) && counts(3, 9_999_999), "the one in use");
        assert!(
            counts(4, 0) && !counts(5, 0),
            "the one that another node may have taken into use"
        );
        assert!(counts(2, 200 + margin) && !counts(2, 201 + margin));
        assert!(counts(1, 100 + margin) && !counts(1, 101 + margin));
        assert!(!counts(0, 0), "retired at an unknown time");
        assert_eq!(
            rotated_signer.verify_dated("head+jwt", &token(3), |_| Some(()), |()| at(0)),
            None
        );
        let dates: Vec<_> = rotated_signer
            .dated_keys()
            .map(|(_, retired)| retired)
            .collect();
        assert_eq!(dates, [None, Some(at(200)), Some(at(100)), None]);
    }
}
