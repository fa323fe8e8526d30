//! Wallet that creates real signatures.

use data_encoding::HEXLOWER_PERMISSIVE;
use voight_support::TestWallet;

/// Externally owned account, with its user's decision on requests to sign.
#[derive(Debug, Clone)]
pub(crate) struct Wallet {
    account: TestWallet,
    /// `true` if the user agrees to sign.
    pub(crate) agrees: bool,
    /// `true` if the wallet is the page's own, which does not announce itself.
    pub(crate) own: bool,
}

impl Wallet {
    /// Creates the account of a well-known key, whose user agrees to sign.
    pub(crate) fn new() -> Self {
        Self {
            account: TestWallet::new(1),
            agrees: true,
            own: false,
        }
    }

    /// Creates the same account, whose user rejects.
    pub(crate) fn rejecting() -> Self {
        Self {
            agrees: false,
            ..Self::new()
        }
    }

    /// Creates the same account in the page's own wallet.
    pub(crate) fn of_the_page() -> Self {
        Self {
            own: true,
            ..Self::new()
        }
    }

    /// Returns the checksummed address.
    pub(crate) fn address(&self) -> String {
        self.account.address().to_string()
    }

    /// Returns the result of `personal_sign` for this hexadecimal message.
    pub(crate) fn sign(&self, message: &str) -> String {
        let digits = message
            .strip_prefix("0x")
            .expect("a message in hexadecimal")
            .as_bytes();
        let bytes = HEXLOWER_PERMISSIVE
            .decode(digits)
            .expect("hexadecimal digits");
        self.account
            .sign(&String::from_utf8(bytes).expect("a text"))
    }
}
