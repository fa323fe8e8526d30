//! Keys that sign receipts and ledger heads.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use voight_domain::Timestamp;
use voight_domain::secrets::PublicKey;

/// Public half of a signing key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SigningKey {
    /// Key id, which signatures name as `kid`.
    pub kid: String,
    /// Public key: 32 bytes in base64url.
    pub x: String,
    /// `true` for the key that creates new signatures.
    pub active: bool,
    /// Time of retirement, RFC 3339 in UTC; absent for the key in use, and if the audit log does not contain it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retired_at: Option<String>,
}

/// Options of a rotation of the signing keys. No member is defined.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SigningKeyRotation {}

impl SigningKey {
    /// Builds the entry of the key in use.
    pub fn active(key: &PublicKey) -> Self {
        Self {
            kid: key.kid.clone(),
            x: key.x.clone(),
            active: true,
            retired_at: None,
        }
    }

    /// Builds the entry of a retired key.
    pub fn retired(key: &PublicKey, retired_at: Option<Timestamp>) -> Self {
        Self {
            active: false,
            retired_at: retired_at.map(|at| at.to_string()),
            ..Self::active(key)
        }
    }
}
