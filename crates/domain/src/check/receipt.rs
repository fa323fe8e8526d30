//! Receipts: signed proof that a check was completed, never what it found.

use crate::secrets::Secrets;
use crate::vocabulary::{ContextId, Environment, EoaAddress, Origin, ReceiptId, Timestamp};
use std::time::Duration;

/// How long a receipt may be redeemed.
pub const RECEIPT_LIFE: Duration = Duration::from_mins(10);

/// The JWS type of a receipt.
pub const RECEIPT_TYPE: &str = "voight-receipt+jwt";

/// What a receipt says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Receipt {
    /// Its id.
    pub id: ReceiptId,
    /// The context of the check.
    pub context: ContextId,
    /// The address of the check.
    pub address: EoaAddress,
    /// The origin of the page that hosted the check.
    pub origin: Origin,
    /// Whether that origin was on a pinned list.
    pub pinned: bool,
    /// Whether the session belonged to the address.
    pub bound: bool,
    /// Live or sandbox.
    pub environment: Environment,
    /// When the check was completed.
    pub issued_at: Timestamp,
}

impl Receipt {
    /// When the receipt ends.
    pub fn expires_at(&self) -> Timestamp {
        self.issued_at.plus(RECEIPT_LIFE)
    }

    /// The signed token: a compact JWS whose claims are `jti, context, address, origin, pinned, bound, test, iat, exp`.
    /// Signing is deterministic, so the same receipt gives the same token.
    pub fn to_token(&self, secrets: &Secrets) -> String {
        // Every value is a parsed type whose alphabet holds neither quotes nor backslashes, so no escaping is needed.
        let payload = format!(
            r#"{{"jti":"{}","context":"{}","address":"{}","origin":"{}","pinned":{},"bound":{},"test":{},"iat":{},"exp":{}}}"#,
            self.id,
            self.context,
            self.address,
            self.origin,
            self.pinned,
            self.bound,
            self.environment.is_test(),
            self.issued_at.as_seconds(),
            self.expires_at().as_seconds(),
        );
        secrets.signer().sign(RECEIPT_TYPE, &payload)
    }
}

#[cfg(test)]
mod tests {
    use super::super::challenge::tests::{challenge, secrets};
    use super::*;

    #[test]
    fn a_receipt_says_what_was_checked_and_nothing_of_the_finding() {
        let receipt = Receipt {
            id: ReceiptId::from_bytes([1; 16]),
            context: challenge().context,
            address: challenge().address,
            origin: challenge().origin,
            pinned: true,
            bound: false,
            environment: Environment::Live,
            issued_at: Timestamp::from_millis(1_800_000_000_500),
        };
        let payload = secrets().signer().verify(RECEIPT_TYPE, &receipt.to_token(&secrets())).unwrap();
        assert_eq!(
            payload,
            r#"{"jti":"01040g2081040g2081040g2081","context":"spring.01k0ab3cdefghjkmnpqrstvwxy","address":"0x0202020202020202020202020202020202020202","origin":"https://quest.example","pinned":true,"bound":false,"test":false,"iat":1800000000,"exp":1800000600}"#
        );
        assert_eq!(receipt.to_token(&secrets()), receipt.to_token(&secrets()));
    }
}
