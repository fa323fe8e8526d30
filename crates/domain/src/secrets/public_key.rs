//! Public keys, with which signatures are verified offline.

use data_encoding::BASE64URL_NOPAD;
use ed25519_dalek::{Signature, VerifyingKey};

/// Public key as listed under `/.well-known/voight-keys.json`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PublicKey {
    /// The id of the key: the first 16 characters of the base64url of its BLAKE3 hash.
    pub kid: String,
    /// The 32 bytes of the key in base64url, the member `x` of a JWK.
    pub x: String,
    key: VerifyingKey,
}

/// Error returned for a text that is not a public key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the member x of a key is 32 bytes of Ed25519 in base64url")]
pub struct PublicKeyError;

/// Public keys whose signatures are accepted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PublicKeys(pub Vec<PublicKey>);

impl PublicKey {
    /// Parses the 32 bytes of a key in base64url.
    pub fn from_x(x: &str) -> Result<Self, PublicKeyError> {
        let bytes = BASE64URL_NOPAD
            .decode(x.as_bytes())
            .map_err(|_| PublicKeyError)?;
        let bytes = bytes.try_into().map_err(|_| PublicKeyError)?;
        VerifyingKey::from_bytes(&bytes)
            .map(Self::new)
            .map_err(|_| PublicKeyError)
    }

    pub(super) fn new(key: VerifyingKey) -> Self {
        let mut kid = encode(blake3::hash(key.as_bytes()).as_bytes());
        kid.truncate(16);
        Self {
            kid,
            x: encode(key.as_bytes()),
            key,
        }
    }
}

impl PublicKeys {
    /// Returns the payload of a compact JWS of type `typ` that one of these keys signed.
    ///
    /// Returns `None` for any other text.
    pub fn verify(&self, typ: &str, token: &str) -> Option<String> {
        self.verify_by(typ, token).map(|(_, payload)| payload)
    }

    /// Returns the payload with the index of the key in this list.
    pub(super) fn verify_by(&self, typ: &str, token: &str) -> Option<(usize, String)> {
        let (signed, signature) = token.rsplit_once('.')?;
        let (head, payload) = signed.split_once('.')?;
        let signature = BASE64URL_NOPAD.decode(signature.as_bytes()).ok()?;
        let signature = Signature::from_slice(&signature).ok()?;
        let head = BASE64URL_NOPAD.decode(head.as_bytes()).ok()?;
        // The header is compared as a whole: only headers that this service writes are accepted.
        let place = self
            .0
            .iter()
            .position(|key| head == header(&key.kid, typ).as_bytes())?;
        self.0[place]
            .key
            .verify_strict(signed.as_bytes(), &signature)
            .ok()?;
        let payload = String::from_utf8(BASE64URL_NOPAD.decode(payload.as_bytes()).ok()?).ok()?;
        Some((place, payload))
    }
}

/// Returns the header of a compact JWS.
pub(super) fn header(kid: &str, typ: &str) -> String {
    format!(r#"{{"alg":"EdDSA","kid":"{kid}","typ":"{typ}"}}"#)
}

pub(super) fn encode(bytes: &[u8]) -> String {
    BASE64URL_NOPAD.encode(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::secrets::{Pepper, Secrets};

    #[test]
    fn published_key_verifies_tokens() {
        let secrets = Secrets::derive(&Pepper::from_bytes([5; 32]), 1);
        let token = secrets.signer().sign("head+jwt", "{}");
        let signer = secrets.signer();
        let parsed_keys = signer
            .public_keys()
            .0
            .iter()
            .map(|key| PublicKey::from_x(&key.x));
        let public_keys = PublicKeys(parsed_keys.collect::<Result<_, _>>().unwrap());
        assert_eq!(&public_keys, signer.public_keys());
        assert_eq!(
            public_keys.verify("head+jwt", &token).as_deref(),
            Some("{}")
        );
        assert_eq!(
            PublicKeys(public_keys.0[1..].to_vec()).verify("head+jwt", &token),
            None
        );
    }

    #[test]
    fn malformed_keys_are_rejected() {
        for x in ["", "AAAA", "A+", &"_".repeat(43), &encode(&[1; 33])] {
            assert_eq!(PublicKey::from_x(x), Err(PublicKeyError), "{x}");
        }
    }
}
