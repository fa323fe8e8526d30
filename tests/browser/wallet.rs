//! A wallet that really signs.

use data_encoding::{HEXLOWER, HEXLOWER_PERMISSIVE};
use k256::ecdsa::SigningKey;
use sha3::{Digest, Keccak256};
use voight_domain::EoaAddress;

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
        let point = self.key.verifying_key().to_sec1_point(false);
        let mut address = [0; 20];
        address.copy_from_slice(&Keccak256::digest(&point.as_bytes()[1..])[12..]);
        EoaAddress::from_bytes(address).to_string()
    }

    /// What `personal_sign` returns for this message, which is in hexadecimal.
    pub(crate) fn sign(&self, message: &str) -> String {
        let digits = message.strip_prefix("0x").expect("a message in hexadecimal").as_bytes();
        let text = HEXLOWER_PERMISSIVE.decode(digits).expect("hexadecimal digits");
        let prefix = format!("\x19Ethereum Signed Message:\n{}", text.len());
        let digest = Keccak256::new().chain_update(prefix).chain_update(text).finalize();
        let (signature, recovery) = self.key.sign_prehash_recoverable(&digest);
        format!("0x{}{:02x}", HEXLOWER.encode(&signature.to_bytes()), recovery.to_byte() + 27)
    }
}
