//! Named admin tokens.

use super::optional;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use voight_domain::registry;
use voight_domain::services;

/// A token to create.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewAdminToken {
    /// Its name, unique among tokens that are not revoked.
    pub name: String,
    /// `owner`, `operator`, `analyst` or `billing`.
    pub role: String,
}

/// A rotation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AdminTokenRotation {}

/// A revocation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AdminTokenRevocation {}

/// A token with its text, which is shown this once.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct IssuedAdminToken {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Its role.
    pub role: String,
    /// The text that opens the admin API.
    pub token: String,
}

/// A token in a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct NamedToken {
    /// Its id, which is a part of its text.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Its role.
    pub role: String,
    /// Number of rotations.
    pub rotations: u32,
    /// Time of creation.
    pub created_at: String,
    /// Time of revocation; null while it opens the admin API.
    pub revoked_at: Option<String>,
}

/// The token of a request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct OwnToken {
    /// Its name; null of the token of the data directory.
    pub name: Option<String>,
    /// Its role.
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
