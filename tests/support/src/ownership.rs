//! Signers of ownership proofs.
#![expect(
    clippy::expect_used,
    reason = "a byte that is no key is an error of the test"
)]

use data_encoding::BASE64URL_NOPAD;
use k256::ecdsa::SigningKey;
use p256::ecdsa::signature::Signer;
use voight_domain::EoaAddress;
use voight_domain::ownership::{WalletSignature, address_of};

/// Wallet of an externally owned account with a known private key.
#[derive(Debug, Clone)]
pub struct TestWallet(SigningKey);

impl TestWallet {
    /// Creates the wallet whose private key consists of this byte. Panics for the byte 0.
    pub fn new(key: u8) -> Self {
        Self(SigningKey::from_slice(&[key; 32]).expect("a private key"))
    }

    /// Returns the address of the account.
    pub fn address(&self) -> EoaAddress {
        address_of(self.0.verifying_key())
    }

    /// Returns the result of `personal_sign` for `text`.
    pub fn sign(&self, text: &str) -> String {
        WalletSignature::sign_text(text, &self.0).to_string()
    }
}

/// Browser with a known key in the frame of the window.
#[derive(Debug, Clone)]
pub struct TestBrowser(p256::ecdsa::SigningKey);

impl TestBrowser {
    /// Creates the browser whose private key consists of this byte. Panics for the byte 0.
    pub fn new(key: u8) -> Self {
        Self(p256::ecdsa::SigningKey::from_slice(&[key; 32]).expect("a private key"))
    }

    /// Returns the public key as the window sends it.
    pub fn key(&self) -> String {
        BASE64URL_NOPAD.encode(self.0.verifying_key().to_sec1_point(false).as_bytes())
    }

    /// Returns the signature of `text` as the window sends it.
    pub fn sign(&self, text: &str) -> String {
        let signature: p256::ecdsa::Signature = self.0.sign(text.as_bytes());
        BASE64URL_NOPAD.encode(&signature.to_bytes())
    }
}
