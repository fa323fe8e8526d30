//! Keys that sign receipts and heads of ledgers.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use voight_domain::Timestamp;
use voight_domain::secrets::PublicKey;

/// The public half of a signing key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SigningKey {
    /// Its id, which what it has signed names.
    pub kid: String,
    /// Its 32 bytes in base64url.
    pub x: String,
    /// Whether it is the one that signs.
    pub in_use: bool,
    /// Time at which it was retired, RFC 3339 in UTC; absent for the one in use, and if the audit log does not have it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retired_at: Option<String>,
}

/// A rotation of the signing keys; there is nothing to say about it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SigningKeyRotation {}

impl SigningKey {
    pub(crate) fn from_public_key(key: &PublicKey, in_use: bool, retired_at: Option<Timestamp>) -> Self {
        Self { kid: key.kid.clone(), x: key.x.clone(), in_use, retired_at: retired_at.map(|at| at.to_string()) }
    }
}
