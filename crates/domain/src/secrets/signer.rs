//! Ed25519 signatures that anybody can verify with the published keys.

use super::Pepper;
use data_encoding::BASE64URL_NOPAD;
use ed25519_dalek::{Signer as _, SigningKey, VerifyingKey};

/// Signs receipts and ledger heads as compact JWS ([RFC 7515](https://www.rfc-editor.org/rfc/rfc7515)) with `EdDSA`
/// ([RFC 8037](https://www.rfc-editor.org/rfc/rfc8037)), so that every JOSE library can verify them.
#[derive(Clone)]
pub struct Signer {
    current: SigningKey,
    published: Vec<PublicKey>,
}

/// A public key as it is listed under `/.well-known/voight-keys.json`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PublicKey {
    /// The key's id: the first 16 characters of the base64url of its BLAKE3 hash.
    pub kid: String,
    /// The 32 bytes of the key in base64url, the member `x` of a JWK.
    pub x: String,
    key: VerifyingKey,
}

impl Signer {
    pub(super) fn derive(pepper: &Pepper, number: u32) -> Self {
        let seed = |n| SigningKey::from_bytes(&pepper.derive("receipt signing", n));
        let published = (0..=number).rev().map(|n| PublicKey::new(seed(n).verifying_key())).collect();
        Self { current: seed(number), published }
    }

    /// Every key that tokens may still be signed with, the current one first.
    pub fn public_keys(&self) -> &[PublicKey] {
        &self.published
    }

    /// A compact JWS of type `typ` over a JSON payload.
    pub fn sign(&self, typ: &str, payload: &str) -> String {
        let kid = &self.published[0].kid;
        let header = format!(r#"{{"alg":"EdDSA","kid":"{kid}","typ":"{typ}"}}"#);
        let signed = format!("{}.{}", encode(header.as_bytes()), encode(payload.as_bytes()));
        let signature = self.current.sign(signed.as_bytes());
        format!("{signed}.{}", encode(&signature.to_bytes()))
    }

    /// The payload of a compact JWS of type `typ` that one of our keys signed; `None` for anything else.
    pub fn verify(&self, typ: &str, token: &str) -> Option<String> {
        let (signed, signature) = token.rsplit_once('.')?;
        let (header, payload) = signed.split_once('.')?;
        let signature = BASE64URL_NOPAD.decode(signature.as_bytes()).ok()?;
        let signature = ed25519_dalek::Signature::from_slice(&signature).ok()?;
        let header = BASE64URL_NOPAD.decode(header.as_bytes()).ok()?;
        let key = self.published.iter().find(|key| {
            // The header is compared whole: the only headers we accept are the ones we write.
            header == format!(r#"{{"alg":"EdDSA","kid":"{}","typ":"{typ}"}}"#, key.kid).as_bytes()
        })?;
        key.key.verify_strict(signed.as_bytes(), &signature).ok()?;
        String::from_utf8(BASE64URL_NOPAD.decode(payload.as_bytes()).ok()?).ok()
    }
}

impl PublicKey {
    fn new(key: VerifyingKey) -> Self {
        let mut kid = encode(blake3::hash(key.as_bytes()).as_bytes());
        kid.truncate(16);
        Self { kid, x: encode(key.as_bytes()), key }
    }
}

fn encode(bytes: &[u8]) -> String {
    BASE64URL_NOPAD.encode(bytes)
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
        assert_eq!(rotated.public_keys().len(), 2);
        assert!(rotated.verify("receipt+jwt", &token).is_some());
        assert!(Signer::derive(&pepper, 0).verify("receipt+jwt", &rotated.sign("receipt+jwt", "{}")).is_none());
    }
}
