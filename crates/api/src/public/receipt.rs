//! Redemption of receipts.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use voight_domain::check::Receipt;

/// Receipt to redeem.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct VerifyReceipt {
    /// Receipt, as passed to the page by the component.
    pub receipt: String,
}

/// Status and content of a receipt. The response to a forged receipt has no content.
#[derive(Debug, Default, Serialize, ToSchema)]
pub struct VerifiedReceipt {
    /// Status of the receipt.
    pub status: ReceiptStatus,
    /// Context of the check.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, required = false)]
    pub context_id: Option<String>,
    /// Address of the check, with its EIP-55 checksum.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, required = false, pattern = "^0x[0-9a-fA-F]{40}$")]
    pub eoa_address: Option<String>,
    /// Origin of the page that hosted the check.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, required = false)]
    pub origin: Option<String>,
    /// `true` if the origin was on a list of allowed origins.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = bool, required = false)]
    pub origin_allowlisted: Option<bool>,
    /// `true` if wallet ownership was proven, by a signature or by a session that your backend created.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = bool, required = false)]
    pub owned: Option<bool>,
    /// `true` for a receipt of the sandbox.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = bool, required = false)]
    pub test: Option<bool>,
    /// Time at which the check was completed, RFC 3339 in UTC.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, required = false, format = DateTime)]
    pub issued_at: Option<String>,
    /// Time of expiry, RFC 3339 in UTC.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, required = false, format = DateTime)]
    pub expires_at: Option<String>,
    /// Time at which the receipt was redeemed before, RFC 3339 in UTC; absent if it was not.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, required = false, format = DateTime)]
    pub used_at: Option<String>,
}

/// Status of a receipt.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ReceiptStatus {
    /// The check was completed, and its receipt is redeemed for the first time.
    Valid,
    /// The receipt was redeemed before.
    Used,
    /// The receipt expired; it is valid for ten minutes.
    Expired,
    /// The receipt was not issued by this service, or is for a context that this key may not use.
    #[default]
    Forged,
}

impl From<&Receipt> for VerifiedReceipt {
    fn from(receipt: &Receipt) -> Self {
        Self {
            context_id: Some(receipt.context.to_string()),
            eoa_address: Some(receipt.address.to_string()),
            origin: Some(receipt.origin.to_string()),
            origin_allowlisted: Some(receipt.origin_allowlisted),
            owned: Some(receipt.owned),
            test: Some(receipt.environment.is_test()),
            issued_at: Some(receipt.issued_at.to_string()),
            expires_at: Some(receipt.expires_at().to_string()),
            ..Self::default()
        }
    }
}
