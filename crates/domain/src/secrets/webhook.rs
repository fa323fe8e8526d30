//! Keys of webhook endpoints, derived from the pepper and never stored: HMAC secrets and Ed25519 key pairs.
//!
//! Texts and signatures follow [Standard Webhooks 1.0](https://www.standardwebhooks.com/).

use super::mac_key::MacKey;
use data_encoding::BASE64;
use ed25519_dalek::{Signer as _, SigningKey, VerifyingKey};
use std::fmt;
use zeroize::ZeroizeOnDrop;

/// HMAC secret of one generation of an endpoint. `Debug` hides it.
#[derive(Clone, ZeroizeOnDrop)]
pub struct WebhookSecret([u8; 32]);

/// Ed25519 key pair of one generation of an endpoint. `Debug` shows the public key alone.
#[derive(Clone)]
pub struct WebhookKeyPair(SigningKey);

/// Public half of a [`WebhookKeyPair`], displayed as `whpk_` and the 32 bytes in base64.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WebhookPublicKey(VerifyingKey);

impl WebhookSecret {
    pub(super) const fn new(secret: [u8; 32]) -> Self {
        Self(secret)
    }

    /// Returns the text for the receiver: `whsec_` and the 32 bytes in base64.
    pub fn expose(&self) -> String {
        format!("whsec_{}", BASE64.encode(&self.0))
    }

    /// Returns the signature of a message: `v1,` and its HMAC-SHA-256 in base64.
    pub fn sign(&self, message: &[u8]) -> String {
        hmac_signature(&self.0, message)
    }
}

fn hmac_signature(key: &[u8], message: &[u8]) -> String {
    format!(
        "v1,{}",
        BASE64.encode(&MacKey::new(key).mac_message(message))
    )
}

impl fmt::Debug for WebhookSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("WebhookSecret(…)")
    }
}

impl WebhookKeyPair {
    pub(super) fn from_seed(seed: &[u8; 32]) -> Self {
        Self(SigningKey::from_bytes(seed))
    }

    /// Returns the key with which receivers verify signatures.
    pub fn public_key(&self) -> WebhookPublicKey {
        WebhookPublicKey(self.0.verifying_key())
    }

    /// Returns the signature of a message: `v1a,` and its Ed25519 signature in base64.
    pub fn sign(&self, message: &[u8]) -> String {
        format!("v1a,{}", BASE64.encode(&self.0.sign(message).to_bytes()))
    }
}

impl fmt::Debug for WebhookKeyPair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "WebhookKeyPair({})", self.public_key())
    }
}

impl fmt::Display for WebhookPublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "whpk_{}", BASE64.encode(self.0.as_bytes()))
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Pepper, Secrets};
    use super::*;
    use crate::vocabulary::EndpointId;
    use ed25519_dalek::{Signature, Verifier as _};
    use std::collections::BTreeSet;

    fn secrets(pepper: u8) -> Secrets {
        Secrets::derive(&Pepper::from_bytes([pepper; 32]), 0)
    }

    #[test]
    fn keys_depend_on_pepper_id_and_generation() {
        let keys = |pepper, id, generation| {
            let id = EndpointId::from_bytes([id; 16]);
            let secret = secrets(pepper).webhook_secret(id, generation);
            let key_pair = secrets(pepper).webhook_key_pair(id, generation);
            assert_ne!(secret.0, key_pair.0.to_bytes());
            [secret.expose(), key_pair.public_key().to_string()]
        };
        let distinct_keys: BTreeSet<_> = [(1, 1, 0), (2, 1, 0), (1, 2, 0), (1, 1, 1)]
            .into_iter()
            .flat_map(|(pepper, id, generation)| keys(pepper, id, generation))
            .collect();
        assert_eq!(distinct_keys.len(), 8);
        assert_eq!(keys(1, 1, 0), keys(1, 1, 0));
    }

    #[test]
    fn webhook_key_debug_hides_the_secret() {
        let id = EndpointId::from_bytes([1; 16]);
        let secret = secrets(1).webhook_secret(id, 0);
        assert_eq!(format!("{secret:?}"), "WebhookSecret(…)");
        let key_pair = secrets(1).webhook_key_pair(id, 0);
        let debug_text = format!("{key_pair:?}");
        assert_eq!(
            debug_text,
            format!("WebhookKeyPair({})", key_pair.public_key())
        );
        assert!(!debug_text.contains(&BASE64.encode(&key_pair.0.to_bytes())));
    }

    #[test]
    fn texts_have_the_standard_form() {
        let id = EndpointId::from_bytes([1; 16]);
        let secret_text = secrets(1).webhook_secret(id, 0).expose();
        let public_text = secrets(1).webhook_key_pair(id, 0).public_key().to_string();
        for (text, prefix) in [(secret_text, "whsec_"), (public_text, "whpk_")] {
            let bytes = BASE64.decode(text.strip_prefix(prefix).unwrap().as_bytes());
            assert_eq!(bytes.unwrap().len(), 32, "{text}");
        }
    }

    /// Secret, message and signature are those of the example in the specification.
    #[test]
    fn hmac_signature_equals_the_published_one() {
        let key = BASE64.decode(b"MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw").unwrap();
        let message = br#"msg_p5jXN8AQM9LWM0D4loKWxJek.1614265330.{"test": 2432232314}"#;
        assert_eq!(
            hmac_signature(&key, message),
            "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
        );
    }

    #[test]
    fn public_key_verifies_its_signatures_alone() {
        let id = EndpointId::from_bytes([1; 16]);
        let key_pair = secrets(1).webhook_key_pair(id, 0);
        let text = key_pair.sign(b"message");
        let bytes = BASE64.decode(text.strip_prefix("v1a,").unwrap().as_bytes());
        let signature = Signature::from_slice(&bytes.unwrap()).unwrap();
        let verify = |generation, message: &[u8]| {
            let public_key = secrets(1).webhook_key_pair(id, generation).public_key();
            public_key.0.verify(message, &signature).is_ok()
        };
        assert!(verify(0, b"message"));
        assert!(!verify(1, b"message"));
        assert!(!verify(0, b"messagE"));
    }
}
