//! Ed25519 signatures that anybody can verify with the published keys.

use super::public_key::{encode, header};
use super::{Pepper, PublicKey, PublicKeys};
use ed25519_dalek::{Signer as _, SigningKey};

/// Signs receipts and ledger heads as compact JWS ([RFC 7515](https://www.rfc-editor.org/rfc/rfc7515)) with `EdDSA`
/// ([RFC 8037](https://www.rfc-editor.org/rfc/rfc8037)), so that every JOSE library can verify them.
#[derive(Clone)]
pub struct Signer {
    number: u32,
    current: SigningKey,
    published: PublicKeys,
}

impl Signer {
    pub(super) fn derive(pepper: &Pepper, number: u32) -> Self {
        let seed = |n| SigningKey::from_bytes(&pepper.derive("receipt signing", n));
        let published = (0..=number).rev().map(|n| PublicKey::new(seed(n).verifying_key())).collect();
        Self { number, current: seed(number), published: PublicKeys(published) }
    }

    /// The number of the key that signs; rotation raises it.
    pub const fn number(&self) -> u32 {
        self.number
    }

    /// Every key that tokens may still be signed with, the current one first.
    pub const fn public_keys(&self) -> &PublicKeys {
        &self.published
    }

    /// The public half of the key that signs.
    pub fn public_key(&self) -> &PublicKey {
        &self.published.0[0]
    }

    /// A compact JWS of type `typ` over a JSON payload.
    pub fn sign(&self, typ: &str, payload: &str) -> String {
        let header = header(&self.public_key().kid, typ);
        let signed = format!("{}.{}", encode(header.as_bytes()), encode(payload.as_bytes()));
        let signature = self.current.sign(signed.as_bytes());
        format!("{signed}.{}", encode(&signature.to_bytes()))
    }

    /// The payload of a compact JWS of type `typ` that one of our keys signed; `None` for anything else.
    pub fn verify(&self, typ: &str, token: &str) -> Option<String> {
        self.published.verify(typ, token)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signature_holds_and_any_change_breaks_it() {
        let signer = Signer::derive(&Pepper::from_bytes([5; 32]), 0);
        let token = signer.sign("receipt+jwt", r#"{"a":1}"#);
        assert_eq!(signer.verify("receipt+jwt", &token).as_deref(), Some(r#"{"a":1}"#));
        assert_eq!(signer.verify("head+jwt", &token), None);
        for place in (0..token.len()).step_by(3) {
            let mut bytes = token.clone().into_bytes();
            bytes[place] = if bytes[place] == b'A' { b'B' } else { b'A' };
            assert_eq!(signer.verify("receipt+jwt", &String::from_utf8(bytes).unwrap()), None, "{place}");
        }
    }

    #[test]
    fn after_rotation_older_tokens_still_verify() {
        let pepper = Pepper::from_bytes([6; 32]);
        let token = Signer::derive(&pepper, 0).sign("receipt+jwt", "{}");
        let rotated = Signer::derive(&pepper, 1);
        assert_eq!(rotated.public_keys().0.len(), 2);
        assert!(rotated.verify("receipt+jwt", &token).is_some());
        assert!(Signer::derive(&pepper, 0).verify("receipt+jwt", &rotated.sign("receipt+jwt", "{}")).is_none());
    }
}
