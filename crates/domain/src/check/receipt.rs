//! Receipts: signed proof that a check was completed, without its result.

use crate::secrets::Secrets;
use crate::vocabulary::{ContextId, Environment, EoaAddress, Origin, ReceiptId, Timestamp};
use std::time::Duration;

/// Lifetime of a receipt.
pub const RECEIPT_TTL: Duration = Duration::from_mins(10);

/// The JWS type of a receipt.
pub const RECEIPT_TYPE: &str = "voight-receipt+jwt";

/// Content of a receipt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Receipt {
    /// Id of the receipt.
    pub id: ReceiptId,
    /// The context of the check.
    pub context: ContextId,
    /// The address of the check.
    pub address: EoaAddress,
    /// The origin of the page that hosted the check.
    pub origin: Origin,
    /// `true` if that origin was on an allowlist.
    pub origin_allowlisted: bool,
    /// `true` if the ownership of the address was proven.
    pub owned: bool,
    /// The environment: live or sandbox.
    pub environment: Environment,
    /// The time of completion of the check.
    pub issued_at: Timestamp,
}

impl Receipt {
    /// Returns the time of expiry.
    pub fn expires_at(&self) -> Timestamp {
        self.issued_at.saturating_add(RECEIPT_TTL)
    }

    /// Returns the signed token, a compact JWS.
    ///
    /// Its claims are `jti, context, address, origin, origin_allowlisted, owned, test, iat, exp`. The signature is deterministic,
    /// so the same receipt gives the same token.
    pub fn to_token(&self, secrets: &Secrets) -> String {
        secrets.signer().sign(RECEIPT_TYPE, &self.payload())
    }

    /// Returns the receipt in an authentic token, dated to the second; `None` for any other text.
    ///
    /// A receipt dated after its signing key was retired is not authentic. The caller verifies the expiry.
    pub fn from_token(token: &str, secrets: &Secrets) -> Option<Self> {
        secrets
            .signer()
            .verify_dated(RECEIPT_TYPE, token, Self::from_payload, |receipt| {
                receipt.issued_at
            })
    }

    fn payload(&self) -> String {
        // Every value is a parsed type whose alphabet has neither quotes nor backslashes, so no escaping is needed.
        format!(
            r#"{{"jti":"{}","context":"{}","address":"{}","origin":"{}","origin_allowlisted":{},"owned":{},"test":{},"iat":{},"exp":{}}}"#,
            self.id,
            self.context,
            self.address,
            self.origin,
            self.origin_allowlisted,
            self.owned,
            self.environment.is_test(),
            self.issued_at.as_seconds(),
            self.expires_at().as_seconds(),
        )
    }

    /// Parses exactly the payloads that [`payload`](Self::payload) writes.
    fn from_payload(payload: &str) -> Option<Self> {
        let seconds: i64 = payload_member(payload, "iat")?.parse().ok()?;
        let receipt = Self {
            id: payload_member(payload, "jti")?.parse().ok()?,
            context: payload_member(payload, "context")?.parse().ok()?,
            address: payload_member(payload, "address")?.parse().ok()?,
            origin: Origin::from_record(payload_member(payload, "origin")?)?,
            origin_allowlisted: payload_member(payload, "origin_allowlisted")? == "true",
            owned: payload_member(payload, "owned")? == "true",
            environment: if payload_member(payload, "test")? == "true" {
                Environment::Sandbox
            } else {
                Environment::Live
            },
            issued_at: Timestamp::from_millis(seconds.checked_mul(1000)?),
        };
        (receipt.payload() == payload).then_some(receipt)
    }
}

/// Returns the value of a claim.
///
/// The value is a text up to its closing quote, or a number or boolean up to the next delimiter.
fn payload_member<'p>(payload: &'p str, name: &str) -> Option<&'p str> {
    let (_, value) = payload.split_once(&format!("\"{name}\":"))?;
    match value.strip_prefix('"') {
        Some(text) => text.split('"').next(),
        None => value.split([',', '}']).next(),
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::challenge::tests::{challenge, secrets};
    use super::*;
    use crate::secrets::{Pepper, SigningKeyRotation};
    use proptest::prelude::*;

    pub(in crate::check) fn receipt() -> Receipt {
        Receipt {
            id: ReceiptId::from_bytes([1; 16]),
            context: challenge().context,
            address: challenge().address,
            origin: challenge().origin,
            origin_allowlisted: true,
            owned: false,
            environment: Environment::Live,
            issued_at: Timestamp::from_millis(1_800_000_000_000),
        }
    }

    #[test]
    fn receipt_contains_no_findings() {
        let receipt = Receipt {
            issued_at: Timestamp::from_millis(1_800_000_000_500),
            ..receipt()
        };
        let payload = secrets()
            .signer()
            .verify(RECEIPT_TYPE, &receipt.to_token(&secrets()))
            .unwrap();
        assert_eq!(
            payload,
            r#"{"jti":"01040g2081040g2081040g2081","context":"spring.01k0ab3cdefghjkmnpqrstvwxy","address":"0x0202020202020202020202020202020202020202","origin":"https://quest.example","origin_allowlisted":true,"owned":false,"test":false,"iat":1800000000,"exp":1800000600}"#
        );
        assert_eq!(receipt.to_token(&secrets()), receipt.to_token(&secrets()));
    }
    #[test]
    fn token_of_another_type_is_no_receipt() {
        let secrets = secrets();
        let token = receipt().to_token(&secrets);
        assert_eq!(Receipt::from_token(&token, &secrets), Some(receipt()));
        let other_secrets = Secrets::derive(&Pepper::from_bytes([9; 32]), 0);
        assert_eq!(Receipt::from_token(&token, &other_secrets), None);
        let payload = receipt().payload();
        assert_eq!(
            Receipt::from_token(&secrets.signer().sign("head+jwt", &payload), &secrets),
            None
        );
        let long = payload.replace("\"exp\":1800000600", "\"exp\":1800009999");
        assert_eq!(
            Receipt::from_token(&secrets.signer().sign(RECEIPT_TYPE, &long), &secrets),
            None
        );
        assert_eq!(Receipt::from_token("", &secrets), None);
    }

    #[test]
    fn retired_key_signs_no_later_receipts() {
        let secrets = secrets();
        let old_token = receipt().to_token(&secrets);
        let later_receipt = Receipt {
            issued_at: receipt().issued_at.saturating_add(Duration::from_hours(1)),
            ..receipt()
        };
        let forged_token = later_receipt.to_token(&secrets);
        let at = receipt().issued_at.saturating_add(Duration::from_secs(1));
        secrets.rotate_signer_to(1, &[SigningKeyRotation { number: 1, at }]);
        assert_eq!(Receipt::from_token(&old_token, &secrets), Some(receipt()));
        assert_eq!(
            Receipt::from_token(&forged_token, &secrets),
            None,
            "a retired key signs receipts after its rotation"
        );
        assert_eq!(
            Receipt::from_token(&later_receipt.to_token(&secrets), &secrets),
            Some(later_receipt)
        );
    }

    #[test]
    fn noncanonical_receipt_is_rejected() {
        let payload = receipt().payload();
        assert_eq!(Receipt::from_payload(&payload), Some(receipt()));
        for (written, otherwise) in [
            ("{", "{ "),
            ("}", "}\n"),
            ("\"iat\":1800000000", "\"iat\":+1800000000"),
            (
                "\"origin_allowlisted\":true,\"owned\":false",
                "\"owned\":false,\"origin_allowlisted\":true",
            ),
            ("\"owned\":false", "\"owned\":0"),
            ("\"owned\":false", "\"owned\":false,\"owned\":true"),
            ("0x02", "0X02"),
        ] {
            assert!(payload.contains(written), "{written}");
            assert_eq!(
                Receipt::from_payload(&payload.replacen(written, otherwise, 1)),
                None,
                "{otherwise}"
            );
        }
    }

    proptest! {
        #[test]
        fn receipts_round_trip(id: [u8; 16], address: [u8; 20], flags: [bool; 3], at in 0_i64..1 << 40) {
            let [origin_allowlisted, owned, test] = flags;
            let environment = Environment::ALL[usize::from(test)];
            let id = ReceiptId::from_bytes(id);
            let address = EoaAddress::from_bytes(address);
            let issued_at = Timestamp::from_millis(at * 1000);
            let receipt = Receipt { id, address, origin_allowlisted, owned, environment, issued_at, ..receipt() };
            prop_assert_eq!(Receipt::from_payload(&receipt.payload()), Some(receipt));
        }

        #[test]
        fn payload_parser_never_panics(payload: String, at in 0_usize..300) {
            prop_assert_eq!(Receipt::from_payload(&payload), None);
            let mut partial_payload = receipt().payload();
            partial_payload.truncate(at.min(partial_payload.len() - 1));
            prop_assert_eq!(Receipt::from_payload(&partial_payload), None);
        }
    }
}
