//! Browser key: generated in the window's frame, which can use it and cannot export it.

use super::OwnershipError;
use data_encoding::BASE64URL_NOPAD;
use p256::ecdsa::signature::Verifier;
use p256::ecdsa::{Signature, VerifyingKey};
use sha2::{Digest, Sha256};
use std::str::FromStr;

/// Length of a public key in bytes: a tag, and two coordinates.
const LENGTH: usize = 65;

/// Public half of a browser's P-256 key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BrowserKey(VerifyingKey);

impl BrowserKey {
    /// Returns the digest by which a token identifies the key.
    pub fn thumbprint(&self) -> [u8; 32] {
        Sha256::digest(self.0.to_sec1_point(false).as_bytes()).into()
    }

    /// Returns `true` if `proof` is this key's signature of `text`.
    ///
    /// ECDSA with SHA-256, r and s in 64 bytes, in base64url, as browsers sign.
    pub fn verify(&self, text: &str, proof: &str) -> bool {
        let bytes = BASE64URL_NOPAD.decode(proof.as_bytes()).unwrap_or_default();
        Signature::from_slice(&bytes)
            .is_ok_and(|signature| self.0.verify(text.as_bytes(), &signature).is_ok())
    }
}

impl FromStr for BrowserKey {
    type Err = OwnershipError;

    /// Parses an uncompressed point in base64url, as browsers export it.
    fn from_str(text: &str) -> Result<Self, OwnershipError> {
        let bytes = BASE64URL_NOPAD
            .decode(text.as_bytes())
            .map_err(|_| OwnershipError::InvalidBrowserKey)?;
        let key = VerifyingKey::from_sec1_bytes(&bytes)
            .ok()
            .filter(|_| bytes.len() == LENGTH);
        key.map(Self).ok_or(OwnershipError::InvalidBrowserKey)
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use p256::ecdsa::SigningKey;
    use p256::ecdsa::signature::Signer;
    use proptest::prelude::*;

    /// Test browser with its own key.
    pub(crate) struct TestBrowser(SigningKey);

    impl TestBrowser {
        pub(crate) fn with_key(key: [u8; 32]) -> Self {
            Self(SigningKey::from_slice(&key).unwrap())
        }

        pub(crate) fn key(&self) -> String {
            BASE64URL_NOPAD.encode(self.0.verifying_key().to_sec1_point(false).as_bytes())
        }

        pub(crate) fn sign(&self, text: &str) -> String {
            let signature: Signature = self.0.sign(text.as_bytes());
            BASE64URL_NOPAD.encode(&signature.to_bytes())
        }
    }

    #[test]
    fn key_verifies_only_its_own_signature() {
        let browser = TestBrowser::with_key([1; 32]);
        let other_browser = TestBrowser::with_key([2; 32]);
        let key: BrowserKey = browser.key().parse().unwrap();
        assert!(key.verify("a challenge", &browser.sign("a challenge")));
        assert!(!key.verify("another challenge", &browser.sign("a challenge")));
        assert!(!key.verify("a challenge", &other_browser.sign("a challenge")));
        assert!(!key.verify("a challenge", ""));
        assert_ne!(
            key.thumbprint(),
            other_browser
                .key()
                .parse::<BrowserKey>()
                .unwrap()
                .thumbprint()
        );
    }

    #[test]
    fn browser_key_has_one_spelling() {
        let browser = TestBrowser::with_key([1; 32]);
        let compressed_key =
            BASE64URL_NOPAD.encode(browser.0.verifying_key().to_sec1_point(true).as_bytes());
        let off_the_curve = BASE64URL_NOPAD.encode(&[&[4][..], &[7; 64]].concat());
        for text in [
            "",
            "!",
            &compressed_key,
            &off_the_curve,
            &format!("{}=", browser.key()),
        ] {
            assert_eq!(
                text.parse::<BrowserKey>(),
                Err(OwnershipError::InvalidBrowserKey),
                "{text}"
            );
        }
    }

    proptest! {
        #[test]
        fn parsers_never_panic(text: String) {
            let _ = text.parse::<BrowserKey>();
            let _ = TestBrowser::with_key([1; 32]).key().parse::<BrowserKey>().unwrap().verify("a text", &text);
        }
    }
}
