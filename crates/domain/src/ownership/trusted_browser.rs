//! Trusted browser: a browser in which a wallet has signed needs no signature for a limited time.

use super::{BrowserKey, OwnershipError};
use crate::check::Challenge;
use crate::codec::{Decoder, Encoder};
use crate::secrets::Secrets;
use crate::vocabulary::{ContextId, EoaAddress, Timestamp};
use std::time::Duration;

/// Lifetime of a trusted browser's token after the signature of the wallet.
pub const TRUSTED_BROWSER_TTL: Duration = Duration::from_hours(30 * 24);

const VERSION: u8 = 1;
const KIND: &str = "remembered binding";

/// Content of a trusted browser's token. The browser stores the token; it is bound to the browser's key, so no other
/// browser can use it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TrustedBrowser {
    /// The context in which the wallet signed.
    pub context: ContextId,
    /// The wallet.
    pub address: EoaAddress,
    /// The thumbprint of the browser's key.
    pub key: [u8; 32],
    /// The time of expiry.
    pub expires_at: Timestamp,
}

impl TrustedBrowser {
    /// Creates the token's content after the wallet signed at `now` in the browser with this key.
    pub fn from_signed(challenge: &Challenge, key: &BrowserKey, now: Timestamp) -> Self {
        Self {
            context: challenge.context.clone(),
            address: challenge.address,
            key: key.thumbprint(),
            expires_at: now.saturating_add(TRUSTED_BROWSER_TTL),
        }
    }

    /// Returns the token that the browser stores.
    pub fn to_token(&self, secrets: &Secrets) -> String {
        let mut out = Encoder::versioned(VERSION);
        out.str(self.context.as_str())
            .fixed(self.address.as_bytes())
            .fixed(&self.key);
        out.int(self.expires_at.as_millis());
        secrets.seal(KIND, out.finish())
    }

    /// Returns the content of an authentic token; `None` for any other text.
    pub fn from_token(token: &str, secrets: &Secrets) -> Option<Self> {
        let bytes = secrets.unseal(KIND, token)?;
        let mut input = Decoder::versioned(&bytes, VERSION).ok()?;
        let trusted_browser = Self {
            context: input.parsed("a context id").ok()?,
            address: EoaAddress::from_bytes(input.fixed().ok()?),
            key: input.fixed().ok()?,
            expires_at: Timestamp::from_millis(input.int().ok()?),
        };
        input.finish().ok()?;
        Some(trusted_browser)
    }

    /// Passes if the token is for this browser key and for the check's context and address.
    pub fn verify(
        &self,
        challenge: &Challenge,
        key: &BrowserKey,
        now: Timestamp,
    ) -> Result<(), OwnershipError> {
        let holds = self.context == challenge.context
            && self.address == challenge.address
            && self.key == key.thumbprint()
            && now < self.expires_at;
        if holds {
            Ok(())
        } else {
            Err(OwnershipError::UnknownBrowser)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::browser_key::tests::TestBrowser;
    use super::*;
    use crate::check::tests::{challenge, secrets};

    const NOW: Timestamp = Timestamp::from_millis(1_800_000_000_000);

    fn key(byte: u8) -> BrowserKey {
        TestBrowser::with_key([byte; 32]).key().parse().unwrap()
    }

    #[test]
    fn browser_token_is_for_one_wallet_and_context() {
        let token = TrustedBrowser::from_signed(&challenge(), &key(1), NOW).to_token(&secrets());
        let trusted_browser = TrustedBrowser::from_token(&token, &secrets()).unwrap();
        let last = Timestamp::from_millis(NOW.saturating_add(TRUSTED_BROWSER_TTL).as_millis() - 1);
        assert_eq!(trusted_browser.verify(&challenge(), &key(1), last), Ok(()));
        let other_wallet = Challenge {
            address: EoaAddress::from_bytes([9; 20]),
            ..challenge()
        };
        let other_context = Challenge {
            context: "other.01k0ab3cdefghjkmnpqrstvwxy".parse().unwrap(),
            ..challenge()
        };
        for (check, key, now) in [
            (&challenge(), key(2), NOW),
            (
                &challenge(),
                key(1),
                NOW.saturating_add(TRUSTED_BROWSER_TTL),
            ),
            (&other_wallet, key(1), NOW),
            (&other_context, key(1), NOW),
        ] {
            assert_eq!(
                trusted_browser.verify(check, &key, now),
                Err(OwnershipError::UnknownBrowser)
            );
        }
    }

    #[test]
    fn malformed_browser_tokens_are_rejected() {
        let token = TrustedBrowser::from_signed(&challenge(), &key(1), NOW).to_token(&secrets());
        let mut bytes = secrets().unseal(KIND, &token).unwrap();
        bytes.push(0);
        for foreign in [
            secrets().seal(KIND, bytes),
            challenge().to_token(&secrets()),
            String::new(),
        ] {
            assert_eq!(TrustedBrowser::from_token(&foreign, &secrets()), None);
        }
    }
}
