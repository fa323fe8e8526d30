//! A wallet that really signs.

use data_encoding::HEXLOWER_PERMISSIVE;
use k256::ecdsa::SigningKey;
use voight_domain::binding::{WalletSignature, address_of};

/// An externally owned account, and what its user does when it is asked to sign.
#[derive(Debug, Clone)]
pub(crate) struct Wallet {
    key: SigningKey,
    /// Whether the user agrees to sign.
    pub(crate) agrees: bool,
    /// Whether it is the page's own, which announces itself to nobody.
    pub(crate) own: bool,
}

impl Wallet {
    /// The account of a well-known key, whose user signs.
    pub(crate) fn new() -> Self {
        Self { key: SigningKey::from_slice(&[1; 32]).expect("a key"), agrees: true, own: false }
    }

    /// The same account, whose user refuses.
    pub(crate) fn refusing() -> Self {
        Self { agrees: false, ..Self::new() }
    }

    /// The same account in a wallet of the page's own.
    pub(crate) fn of_the_page() -> Self {
        Self { own: true, ..Self::new() }
    }

    /// Its address, with a checksum.
    pub(crate) fn address(&self) -> String {
        address_of(self.key.verifying_key()).to_string()
    }

    /// What `personal_sign` returns for this message, which is in hexadecimal.
    pub(crate) fn sign(&self, message: &str) -> String {
        let digits = message.strip_prefix("0x").expect("a message in hexadecimal").as_bytes();
        let bytes = HEXLOWER_PERMISSIVE.decode(digits).expect("hexadecimal digits");
        WalletSignature::sign_text(&String::from_utf8(bytes).expect("a text"), &self.key).to_string()
    }
}
