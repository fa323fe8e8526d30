//! Message that a wallet signs: for a check, or for the console.
//!
//! The format is [ERC-4361](https://eips.ethereum.org/EIPS/eip-4361).

use super::{OwnershipError, WalletSignature};
use crate::check::Challenge;
use crate::secrets::Secrets;
use crate::vocabulary::{ContextId, EoaAddress, Origin, Timestamp};
use std::fmt;

/// Digits and letters that are not easily confused, one for five bits.
const ALPHABET: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/// Request for a signature: the fields of the message.
///
/// All fields are derived from the challenge, so nothing is stored, and a signature is verified over the message as the
/// server writes it: a signature of a message with any other field is rejected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignRequest {
    /// The origin of the host page; its host is the message's domain.
    pub origin: Origin,
    /// The account that has to sign.
    pub address: EoaAddress,
    /// The context, which the message lists as a resource.
    pub context: ContextId,
    /// Four characters that the window also shows, so that the visitor can compare them.
    pub code: String,
    /// Unique for the check: a MAC over the check, which is concluded once.
    pub nonce: String,
    /// The time of opening of the check.
    pub issued_at: Timestamp,
    /// The time of expiry of the check.
    pub expires_at: Timestamp,
}

impl SignRequest {
    /// Returns the request of a check.
    pub fn for_challenge(challenge: &Challenge, secrets: &Secrets) -> Self {
        let mac = secrets.token_mac("binding message", &challenge.check.to_bytes());
        let (code, nonce) = mac.split_at(4);
        Self {
            origin: challenge.origin.clone(),
            address: challenge.address,
            context: challenge.context.clone(),
            code: code
                .iter()
                .map(|byte| char::from(ALPHABET[usize::from(byte % 32)]))
                .collect(),
            nonce: data_encoding::HEXLOWER.encode(&nonce[..16]),
            issued_at: challenge.opened_at,
            expires_at: challenge.expires_at(),
        }
    }

    /// Passes if the address of the request has signed its message.
    pub fn verify(&self, signature: &WalletSignature) -> Result<(), OwnershipError> {
        signature.verify(&self.to_string(), self.address)
    }
}

/// Fields that every message has.
pub(super) struct Message<'a> {
    pub(super) origin: &'a Origin,
    pub(super) address: EoaAddress,
    pub(super) statement: &'a str,
    pub(super) nonce: &'a str,
    pub(super) issued_at: Timestamp,
    pub(super) expires_at: Timestamp,
}

impl fmt::Display for Message<'_> {
    /// Formats the message. The chain id is 1, because a signature of an account is the same on every chain.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            origin,
            address,
            statement,
            nonce,
            issued_at,
            expires_at,
        } = self;
        write!(
            f,
            "{} wants you to sign in with your Ethereum account:\n{address}\n\n{statement}\n\n\
             URI: {origin}\nVersion: 1\nChain ID: 1\nNonce: {nonce}\nIssued At: {issued_at}\nExpiration Time: {expires_at}",
            origin.authority(),
        )
    }
}

impl fmt::Display for SignRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let statement = format!(
            "Show that this wallet is yours. Sign only if the check shows the code {}.",
            self.code
        );
        let message = Message {
            origin: &self.origin,
            address: self.address,
            statement: &statement,
            nonce: &self.nonce,
            issued_at: self.issued_at,
            expires_at: self.expires_at,
        };
        write!(
            f,
            "{message}\nResources:\n- urn:voight:context:{}",
            self.context
        )
    }
}

#[cfg(test)]
mod tests {
    use super::super::wallet::tests::TestWallet;
    use super::*;
    use crate::check::tests::{challenge, secrets};
    use crate::vocabulary::CheckId;
    use proptest::prelude::*;

    fn request(wallet: &TestWallet) -> SignRequest {
        SignRequest::for_challenge(
            &Challenge {
                address: wallet.address(),
                ..challenge()
            },
            &secrets(),
        )
    }

    #[test]
    fn message_follows_erc_4361() {
        let request = SignRequest {
            origin: "https://quest.example:8443".parse().unwrap(),
            code: "K7QM".to_owned(),
            nonce: "00112233445566778899aabbccddeeff".to_owned(),
            address: "0x52908400098527886E0F7030069857D2E4169EE7"
                .parse()
                .unwrap(),
            ..request(&TestWallet::with_key([1; 32]))
        };
        assert_eq!(
            request.to_string(),
            "quest.example:8443 wants you to sign in with your Ethereum account:\n\
             0x52908400098527886E0F7030069857D2E4169EE7\n\
             \n\
             Show that this wallet is yours. Sign only if the check shows the code K7QM.\n\
             \n\
             URI: https://quest.example:8443\n\
             Version: 1\n\
             Chain ID: 1\n\
             Nonce: 00112233445566778899aabbccddeeff\n\
             Issued At: 2027-01-15T08:00:00Z\n\
             Expiration Time: 2027-01-15T08:05:00Z\n\
             Resources:\n\
             - urn:voight:context:spring.01k0ab3cdefghjkmnpqrstvwxy"
        );
    }

    #[test]
    fn code_is_readable_and_nonce_is_derived() {
        let wallet = TestWallet::with_key([1; 32]);
        let SignRequest { code, nonce, .. } = request(&wallet);
        assert!(
            code.len() == 4 && code.bytes().all(|byte| ALPHABET.contains(&byte)),
            "{code}"
        );
        assert_eq!(nonce.len(), 32);
        let other_challenge = Challenge {
            check: CheckId::from_bytes([9; 16]),
            ..challenge()
        };
        assert_ne!(
            SignRequest::for_challenge(&other_challenge, &secrets()).nonce,
            nonce
        );
        assert_eq!(request(&wallet).nonce, nonce);
    }

    #[test]
    fn signature_of_another_wallet_is_rejected() {
        let owner = TestWallet::with_key([1; 32]);
        let stranger = TestWallet::with_key([2; 32]);
        let request = request(&owner);
        let sign = |wallet: &TestWallet| wallet.sign(&request.to_string()).parse().unwrap();
        assert_eq!(request.verify(&sign(&owner)), Ok(()));
        assert_eq!(
            request.verify(&sign(&stranger)),
            Err(OwnershipError::SignerMismatch)
        );
    }

    /// Changes one field, as another site, check, context, wallet or time would.
    fn changed(request: &SignRequest, field: usize) -> SignRequest {
        let mut changed_request = request.clone();
        let later = |at: Timestamp| Timestamp::from_millis(at.as_millis() + 1000);
        match field {
            0 => changed_request.origin = "https://evil.example".parse().unwrap(),
            1 => changed_request.address = EoaAddress::from_bytes([9; 20]),
            2 => changed_request.context = "other.01k0ab3cdefghjkmnpqrstvwxy".parse().unwrap(),
            3 => changed_request.code = "0000".to_owned(),
            4 => changed_request.nonce = "0".repeat(32),
            5 => changed_request.issued_at = later(request.issued_at),
            _ => changed_request.expires_at = later(request.expires_at),
        }
        changed_request
    }

    proptest! {
        #[test]
        fn changed_field_invalidates_the_signature(
            key in proptest::array::uniform32(1_u8..255),
            field in 0..7_usize,
        ) {
            let wallet = TestWallet::with_key(key);
            let request = request(&wallet);
            let signature = wallet.sign(&changed(&request, field).to_string()).parse().unwrap();
            prop_assert_eq!(request.verify(&signature), Err(OwnershipError::SignerMismatch));
        }

        #[test]
        fn changed_character_invalidates_the_signature(place in any::<prop::sample::Index>()) {
            let wallet = TestWallet::with_key([1; 32]);
            let request = request(&wallet);
            let mut text = request.to_string().into_bytes();
            let place = place.index(text.len());
            text[place] = if text[place] == b'x' { b'y' } else { b'x' };
            let signature = wallet.sign(std::str::from_utf8(&text).unwrap()).parse().unwrap();
            prop_assert_eq!(request.verify(&signature), Err(OwnershipError::SignerMismatch));
        }
    }
}
