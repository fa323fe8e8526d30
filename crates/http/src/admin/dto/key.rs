//! Keys.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use voight_domain::registry;
use voight_domain::services;
use voight_domain::vocabulary::Environment;

/// A key, without its secret.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Key {
    /// Whose key it is.
    pub client_id: String,
    /// Its id, which rotation keeps.
    pub key_id: String,
    /// What may be shown of its current secret.
    pub hint: String,
    /// `live` or `test`.
    pub environment: String,
    /// What it may do.
    pub scopes: Vec<String>,
    /// Networks it may be used from; none means any.
    pub networks: Vec<String>,
    /// When it was issued.
    pub created_at: String,
    /// When it stops working.
    pub expires_at: Option<String>,
    /// When it was revoked.
    pub revoked_at: Option<String>,
    /// The operator's label.
    #[serde(default)]
    pub label: Option<String>,
    /// Time of its last admitted request; a minute may pass before it is stored.
    #[serde(default)]
    pub last_used_at: Option<String>,
}

/// A key with its secret, which is shown this once.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct IssuedKey {
    /// Whose key it is.
    pub client_id: String,
    /// Its id.
    pub key_id: String,
    /// The secret.
    pub key: String,
    /// What may be shown of it afterwards.
    pub hint: String,
    /// `live` or `test`.
    pub environment: String,
    /// What it may do.
    pub scopes: Vec<String>,
    /// Networks it may be used from; none means any.
    pub networks: Vec<String>,
    /// When it was issued.
    pub created_at: String,
    /// When it stops working.
    pub expires_at: Option<String>,
    /// The operator's label.
    #[serde(default)]
    pub label: Option<String>,
}

/// A key to issue.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewKey {
    /// Whose key it will be: a client's name or id.
    pub client: String,
    /// Whether it is a sandbox key; live unless given.
    #[serde(default)]
    pub test: bool,
    /// What it may do; everything unless given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scopes: Option<Vec<String>>,
    /// Networks it may be used from, in CIDR notation; any unless given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub networks: Option<Vec<String>>,
    /// When it stops working; never unless given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<String>,
    /// A label of 1 to 64 characters, to tell it from other keys.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
}

/// How to rotate a key.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct KeyRotation {
    /// For how many seconds the old secret stays valid; 24 hours unless given, at most 30 days. With 0 it ends at once, and a
    /// revoked key is active again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub overlap_seconds: Option<u64>,
    /// Why; it is kept in the audit log.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// Options of a revocation.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct KeyRevocation {
    /// The key of the same client and environment that gets its contexts; they stay where they are unless given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub move_contexts_to: Option<String>,
    /// Why; it is kept in the audit log.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// A revoked key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RevokedKey {
    /// The key.
    #[serde(flatten)]
    pub key: Key,
    /// The number of contexts that were moved to another key.
    pub moved_contexts: usize,
}

impl From<&registry::Key> for Key {
    fn from(key: &registry::Key) -> Self {
        Self {
            client_id: key.client.to_string(),
            key_id: key.id.to_string(),
            hint: key.hint().to_owned(),
            environment: word(key.environment),
            scopes: super::texts(key.scopes.iter()),
            networks: super::texts(&key.networks),
            created_at: key.created_at.to_string(),
            expires_at: super::optional(key.expires_at),
            revoked_at: super::optional(key.revoked_at),
            label: key.label.as_ref().map(ToString::to_string),
            last_used_at: super::optional(key.last_used_at),
        }
    }
}

impl From<&services::IssuedKey> for IssuedKey {
    fn from(issued: &services::IssuedKey) -> Self {
        let key = Key::from(&issued.key);
        Self {
            client_id: key.client_id,
            key_id: key.key_id,
            key: issued.secret.expose().to_owned(),
            hint: key.hint,
            environment: key.environment,
            scopes: key.scopes,
            networks: key.networks,
            created_at: key.created_at,
            expires_at: key.expires_at,
            label: key.label,
        }
    }
}

impl std::fmt::Debug for IssuedKey {
    /// Without the secret, so that no log line can hold it.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("IssuedKey").field("key_id", &self.key_id).field("hint", &self.hint).finish_non_exhaustive()
    }
}

/// The word for an environment, as it stands in a key.
pub(super) fn word(environment: Environment) -> String {
    environment.label().to_owned()
}
