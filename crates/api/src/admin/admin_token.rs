//! Named admin tokens.

use super::optional;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use voight_domain::registry;
use voight_domain::services;

/// Named admin token to create.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewAdminToken {
    /// Name, unique among tokens that are not revoked.
    pub name: String,
    /// Role: `owner`, `operator`, `analyst` or `billing`.
    pub role: String,
}

/// Options of a rotation. No member is defined.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AdminTokenRotation {}

/// Options of a revocation. No member is defined.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AdminTokenRevocation {}

/// Named admin token with its secret text, which only this response contains.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct IssuedAdminToken {
    /// Token id.
    pub id: String,
    /// Token name.
    pub name: String,
    /// Role of the token.
    pub role: String,
    /// Secret text that authenticates requests to the admin API.
    pub token: String,
}

/// Named admin token in a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct NamedToken {
    /// Token id, which is a part of the token text.
    pub id: String,
    /// Token name.
    pub name: String,
    /// Role of the token.
    pub role: String,
    /// Number of rotations.
    pub rotations: u32,
    /// Time of creation.
    pub created_at: String,
    /// Time of revocation; null while the token is valid.
    pub revoked_at: Option<String>,
}

/// Token that authenticated the request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct OwnToken {
    /// Token name; null for the token of the data directory.
    pub name: Option<String>,
    /// Role of the token.
    pub role: String,
}

impl From<&services::IssuedAdminToken> for IssuedAdminToken {
    fn from(services::IssuedAdminToken { token, text }: &services::IssuedAdminToken) -> Self {
        Self {
            id: token.id.to_string(),
            name: token.name.to_string(),
            role: token.role.to_string(),
            token: text.expose(),
        }
    }
}

impl From<&registry::AdminToken> for NamedToken {
    fn from(token: &registry::AdminToken) -> Self {
        Self {
            id: token.id.to_string(),
            name: token.name.to_string(),
            role: token.role.to_string(),
            rotations: token.generation,
            created_at: token.created_at.to_string(),
            revoked_at: optional(token.revoked_at),
        }
    }
}
