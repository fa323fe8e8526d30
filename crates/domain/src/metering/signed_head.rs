//! Signed head of a ledger.
//!
//! A client saves it as evidence that the ledger up to this head cannot change unnoticed.

use super::ChainHead;
use crate::secrets::{PublicKeys, Signer};
use crate::vocabulary::{ClientId, Environment, Timestamp};

/// The JWS type of a signed head.
pub const HEAD_TYPE: &str = "head+jwt";

/// Head of a ledger at a moment, to be signed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SignedHead {
    /// The client that owns the ledger.
    pub client: ClientId,
    /// The environment of the ledger.
    pub environment: Environment,
    /// The sequence number of the last row; 0 for an empty ledger.
    pub seq: u64,
    /// The chain head after the last row.
    pub head: ChainHead,
    /// The time of the signature.
    pub at: Timestamp,
}

impl SignedHead {
    /// Returns the signed token: a compact JWS whose claims are `client, environment, seq, head, at`. The signature is
    /// deterministic, so the same head gives the same token.
    pub fn to_token(&self, signer: &Signer) -> String {
        signer.sign(HEAD_TYPE, &self.payload())
    }

    /// Returns the head in a token that is signed by one of these keys.
    pub fn from_token(token: &str, keys: &PublicKeys) -> Option<Self> {
        Self::from_payload(&keys.verify(HEAD_TYPE, token)?)
    }

    fn payload(&self) -> String {
        // Every value is a parsed type whose alphabet has neither quotes nor backslashes, so no escaping is needed.
        format!(
            r#"{{"client":"{}","environment":"{}","seq":{},"head":"{}","at":"{}"}}"#,
            self.client,
            self.environment.label(),
            self.seq,
            self.head,
            self.at,
        )
    }

    /// Parses exactly the payloads that [`payload`](Self::payload) writes.
    fn from_payload(payload: &str) -> Option<Self> {
        let mut parts = payload.split('"');
        let client = parts.nth(3)?;
        let environment = parts.nth(3)?;
        let seq = parts.nth(2)?;
        let head = parts.nth(2)?;
        let at = parts.nth(3)?;
        let signed_head = Self {
            client: client.parse().ok()?,
            environment: environment.parse().ok()?,
            seq: seq.trim_matches([':', ',']).parse().ok()?,
            head: head.parse().ok()?,
            at: at.parse().ok()?,
        };
        (signed_head.payload() == payload).then_some(signed_head)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::secrets::{Pepper, Secrets};
    use proptest::prelude::*;

    fn signer() -> Signer {
        Secrets::derive(&Pepper::from_bytes([1; 32]), 0).signer_by_number(0)
    }

    fn head() -> SignedHead {
        let client = ClientId::from_bytes([1; 16]);
        let at = Timestamp::from_millis(1_800_000_000_000);
        SignedHead {
            client,
            environment: Environment::Live,
            seq: 300,
            head: ChainHead([0xab; 32]),
            at,
        }
    }

    #[test]
    fn head_claims_are_as_documented() {
        let payload = signer()
            .verify(HEAD_TYPE, &head().to_token(&signer()))
            .unwrap();
        let expected_payload = format!(
            r#"{{"client":"01040g2081040g2081040g2081","environment":"live","seq":300,"head":"{}","at":"2027-01-15T08:00:00Z"}}"#,
            "ab".repeat(32)
        );
        assert_eq!(payload, expected_payload);
    }

    #[test]
    fn token_of_another_type_is_no_head() {
        let signer = signer();
        let other_secrets = Secrets::derive(&Pepper::from_bytes([2; 32]), 0);
        let keys = signer.public_keys();
        assert_eq!(
            SignedHead::from_token(&head().to_token(&signer), keys),
            Some(head())
        );
        assert_eq!(
            SignedHead::from_token(&head().to_token(&other_secrets.signer()), keys),
            None
        );
        assert_eq!(
            SignedHead::from_token(&signer.sign("voight-receipt+jwt", &head().payload()), keys),
            None
        );
        let long = head().payload().replace("300", "0300");
        assert_eq!(
            SignedHead::from_token(&signer.sign(HEAD_TYPE, &long), keys),
            None
        );
    }

    proptest! {
        #[test]
        fn signed_heads_round_trip(client: [u8; 16], test: bool, seq: u64, chain: [u8; 32], at in 0_i64..253_402_207_200_000) {
            let environment = Environment::ALL[usize::from(test)];
            let client = ClientId::from_bytes(client);
            let at = Timestamp::from_millis(at);
            let head = SignedHead { client, environment, seq, head: ChainHead(chain), at };
            prop_assert_eq!(SignedHead::from_payload(&head.payload()), Some(head));
        }

        #[test]
        fn payload_parser_never_panics(payload: String) {
            prop_assert_eq!(SignedHead::from_payload(&payload), None);
        }
    }
}
