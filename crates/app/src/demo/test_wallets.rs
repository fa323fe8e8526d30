//! Wallets that really sign. Their keys are made for a demo, are nowhere but in its memory, and hold nothing.

use k256::ecdsa::SigningKey;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};
use voight_domain::EoaAddress;
use voight_domain::binding::{WalletSignature, address_of};
use voight_domain::ports::Entropy;

/// The newest ones are kept: each visit that wants one takes one.
const MOST: usize = 100;

/// The test wallets of a demo.
#[derive(Clone, Default)]
pub(super) struct TestWallets(Arc<Mutex<VecDeque<SigningKey>>>);

impl TestWallets {
    /// A new wallet's address; none in the unlikely case that the bytes drawn are no key.
    pub(super) fn draw(&self, entropy: &dyn Entropy) -> Option<EoaAddress> {
        let key = SigningKey::from_slice(&entropy.bytes::<32>()).ok()?;
        let address = address_of(key.verifying_key());
        let mut keys = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        keys.truncate(MOST - 1);
        keys.push_front(key);
        Some(address)
    }

    /// What `personal_sign` of the wallet at `address` returns for `text`; none if this is not one of these wallets.
    pub(super) fn sign(&self, address: &EoaAddress, text: &str) -> Option<String> {
        let keys = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let key = keys.iter().find(|key| address_of(key.verifying_key()) == *address)?;
        Some(WalletSignature::sign_text(text, key).to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::system::OsEntropy;

    #[test]
    fn a_signature_is_the_wallets_own() {
        let wallets = TestWallets::default();
        let (one, other) = (wallets.draw(&OsEntropy).unwrap(), wallets.draw(&OsEntropy).unwrap());
        let signature: WalletSignature = wallets.sign(&one, "text é").unwrap().parse().unwrap();
        assert_eq!(signature.recover_signer("text é"), Ok(one));
        assert_ne!(signature.recover_signer("text e"), Ok(one));
        assert_ne!(one, other);
    }

    #[test]
    fn nobody_else_s_wallet_signs_and_old_ones_are_forgotten() {
        let wallets = TestWallets::default();
        assert_eq!(wallets.sign(&EoaAddress::from_bytes([1; 20]), "text"), None);
        let first = wallets.draw(&OsEntropy).unwrap();
        for _ in 1..MOST {
            wallets.draw(&OsEntropy).unwrap();
        }
        assert!(wallets.sign(&first, "text").is_some());
        wallets.draw(&OsEntropy).unwrap();
        assert_eq!(wallets.sign(&first, "text"), None);
    }
}
