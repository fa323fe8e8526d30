//! Test wallets that can sign. Their keys are created for a demo, exist only in memory, and own nothing.

use k256::ecdsa::SigningKey;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};
use voight_domain::EoaAddress;
use voight_domain::ownership::{WalletSignature, address_of};
use voight_domain::ports::Entropy;

/// Maximum number of wallets; the oldest are dropped, because each visit creates new ones.
const MOST: usize = 100;

/// Test wallets of a demo.
#[derive(Clone, Default)]
pub(super) struct TestWallets(Arc<Mutex<VecDeque<SigningKey>>>);

impl TestWallets {
    /// Creates a wallet and returns its address; `None` if the random bytes are not a valid key.
    pub(super) fn draw(&self, entropy: &dyn Entropy) -> Option<EoaAddress> {
        let key = SigningKey::from_slice(&entropy.bytes::<32>()).ok()?;
        let address = address_of(key.verifying_key());
        let mut keys = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        keys.truncate(MOST - 1);
        keys.push_front(key);
        Some(address)
    }

    /// Returns the `personal_sign` signature of `text` by the wallet at `address`. `None` stands for an unknown wallet.
    pub(super) fn sign(&self, address: &EoaAddress, text: &str) -> Option<String> {
        let keys = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let key = keys
            .iter()
            .find(|key| address_of(key.verifying_key()) == *address)?;
        Some(WalletSignature::sign_text(text, key).to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::os::OsEntropy;

    #[test]
    fn signature_recovers_its_own_wallet_only() {
        let wallets = TestWallets::default();
        let first_wallet = wallets.draw(&OsEntropy).unwrap();
        let second_wallet = wallets.draw(&OsEntropy).unwrap();
        let signature: WalletSignature = wallets
            .sign(&first_wallet, "text é")
            .unwrap()
            .parse()
            .unwrap();
        assert_eq!(signature.recover_signer("text é"), Ok(first_wallet));
        assert_ne!(signature.recover_signer("text e"), Ok(first_wallet));
        assert_ne!(first_wallet, second_wallet);
    }

    #[test]
    fn only_recent_test_wallets_sign() {
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
