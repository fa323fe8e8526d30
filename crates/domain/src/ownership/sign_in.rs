//! Request for the signature by which a user proves a wallet to the console.

use super::message::Message;
use super::{OwnershipError, WalletSignature};
use crate::codec::{Decoder, Encoder};
use crate::secrets::Secrets;
use crate::vocabulary::{EoaAddress, Origin, Timestamp};
use std::fmt;
use std::time::Duration;

/// Time in which a requested signature is accepted.
const LIFETIME: Duration = Duration::from_mins(5);

const VERSION: u8 = 1;
const KIND: &str = "console signature";

/// Request for a signature of a wallet: the fields of the message.
///
/// The browser keeps the sealed request, so nothing is stored before the wallet has signed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignInRequest {
    /// Origin of the console; its host is the message's domain.
    pub origin: Origin,
    /// The account that has to sign.
    pub address: EoaAddress,
    /// Random number of the request.
    pub nonce: [u8; 16],
    /// Time of the request.
    pub issued_at: Timestamp,
}

impl SignInRequest {
    /// Returns the token that the browser keeps until the wallet has signed.
    pub fn to_token(&self, secrets: &Secrets) -> String {
        let mut out = Encoder::versioned(VERSION);
        out.str(self.origin.as_str())
            .fixed(self.address.as_bytes())
            .fixed(&self.nonce)
            .int(self.issued_at.as_millis());
        secrets.seal(KIND, out.finish())
    }

    /// Returns the request in an authentic token; `None` for any other text.
    pub fn from_token(token: &str, secrets: &Secrets) -> Option<Self> {
        let bytes = secrets.unseal(KIND, token)?;
        let mut input = Decoder::versioned(&bytes, VERSION).ok()?;
        let request = Self {
            origin: input.parsed("an origin").ok()?,
            address: EoaAddress::from_bytes(input.fixed().ok()?),
            nonce: input.fixed().ok()?,
            issued_at: Timestamp::from_millis(input.int().ok()?),
        };
        input.finish().ok()?;
        Some(request)
    }

    /// Returns the time of expiry.
    pub fn expires_at(&self) -> Timestamp {
        self.issued_at.saturating_add(LIFETIME)
    }

    /// Passes if the address of the request has signed its message.
    pub fn verify(&self, signature: &WalletSignature) -> Result<(), OwnershipError> {
        signature.verify(&self.to_string(), self.address)
    }
}

impl fmt::Display for SignInRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let message = Message {
            origin: &self.origin,
            address: self.address,
            statement: "Show the Voight console that this wallet is yours.",
            nonce: &data_encoding::HEXLOWER.encode(&self.nonce),
            issued_at: self.issued_at,
            expires_at: self.expires_at(),
        };
        message.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::super::wallet::tests::TestWallet;
    use super::*;
    use crate::check::tests::{challenge, secrets};

    fn request(wallet: &TestWallet) -> SignInRequest {
        SignInRequest {
            origin: "http://127.0.0.1:8081".parse().unwrap(),
            address: wallet.address(),
            nonce: [0xab; 16],
            issued_at: Timestamp::from_millis(1_800_000_000_000),
        }
    }

    #[test]
    fn console_message_follows_erc_4361() {
        let wallet = TestWallet::with_key([1; 32]);
        let request = request(&wallet);
        assert_eq!(
            request.to_string(),
            format!(
                "127.0.0.1:8081 wants you to sign in with your Ethereum account:\n{}\n\n\
                 Show the Voight console that this wallet is yours.\n\n\
                 URI: http://127.0.0.1:8081\nVersion: 1\nChain ID: 1\nNonce: abababababababababababababababab\n\
                 Issued At: 2027-01-15T08:00:00Z\nExpiration Time: 2027-01-15T08:05:00Z",
                wallet.address()
            )
        );
    }

    #[test]
    fn signature_is_for_one_request() {
        let wallet = TestWallet::with_key([1; 32]);
        let request = request(&wallet);
        let signature = wallet.sign(&request.to_string()).parse().unwrap();
        assert_eq!(request.verify(&signature), Ok(()));
        let other_request = SignInRequest {
            nonce: [0xac; 16],
            ..request
        };
        assert_eq!(
            other_request.verify(&signature),
            Err(OwnershipError::SignerMismatch)
        );
    }

    #[test]
    fn console_request_round_trips_sealed() {
        let request = request(&TestWallet::with_key([1; 32]));
        let token = request.to_token(&secrets());
        assert_eq!(SignInRequest::from_token(&token, &secrets()), Some(request));
        for other in [challenge().to_token(&secrets()), String::new()] {
            assert_eq!(SignInRequest::from_token(&other, &secrets()), None);
        }
    }
}
