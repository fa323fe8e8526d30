//! API keys.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use voight_domain::registry;
use voight_domain::services;
use voight_domain::vocabulary::Environment;

/// API key without its secret.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Key {
    /// Client that owns the key.
    pub client_id: String,
    /// Key id; a rotation does not change it.
    pub key_id: String,
    /// Part of the current secret that may be displayed.
    pub prefix: String,
    /// Environment: `live` or `test`.
    pub environment: String,
    /// Scopes: operations that the key allows.
    pub scopes: Vec<String>,
    /// Networks from which the key may be used; if empty, any network.
    pub networks: Vec<String>,
    /// Time of issue.
    pub created_at: String,
    /// Time of expiry; null if the key does not expire.
    pub expires_at: Option<String>,
    /// Time of revocation; null if the key is not revoked.
    pub revoked_at: Option<String>,
    /// Label set by the operator.
    #[serde(default)]
    pub label: Option<String>,
    /// Time of the last admitted request. Stored with a delay of up to one minute.
    #[serde(default)]
    pub last_used_at: Option<String>,
}

/// API key with its secret, which only this response contains.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct IssuedKey {
    /// Client that owns the key.
    pub client_id: String,
    /// Key id.
    pub key_id: String,
    /// The secret.
    pub key: String,
    /// Part of the secret that may be displayed.
    pub prefix: String,
    /// Environment: `live` or `test`.
    pub environment: String,
    /// Scopes: operations that the key allows.
    pub scopes: Vec<String>,
    /// Networks from which the key may be used; if empty, any network.
    pub networks: Vec<String>,
    /// Time of issue.
    pub created_at: String,
    /// Time of expiry; null if the key does not expire.
    pub expires_at: Option<String>,
    /// Label set by the operator.
    #[serde(default)]
    pub label: Option<String>,
}

/// API key to issue.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewKey {
    /// Client name or id.
    pub client: String,
    /// `true` for a sandbox key. Default: a live key.
    #[serde(default)]
    pub test: bool,
    /// Scopes: operations that the key allows. Default: all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scopes: Option<Vec<String>>,
    /// Networks from which the key may be used, in CIDR notation. Default: any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub networks: Option<Vec<String>>,
    /// Time of expiry. Default: the key does not expire.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<String>,
    /// Label of 1 to 64 characters that distinguishes the key from others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
}

/// Options of a rotation.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct KeyRotation {
    /// Seconds for which the old secret stays valid: 24 hours by default, at most 30 days. 0 invalidates it at once, and
    /// reactivates a revoked key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub overlap_seconds: Option<u64>,
    /// Reason, written to the audit log.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// Options of a revocation.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct KeyRevocation {
    /// Key of the same client and environment to which the contexts of the revoked key are moved. By default they are not
    /// moved.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub move_contexts_to: Option<String>,
    /// Reason, written to the audit log.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// Revoked API key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RevokedKey {
    /// The key.
    #[serde(flatten)]
    pub key: Key,
    /// Number of contexts that were moved to another key.
    pub moved_contexts: usize,
}

impl From<&registry::Key> for Key {
    fn from(key: &registry::Key) -> Self {
        Self {
            client_id: key.client.to_string(),
            key_id: key.id.to_string(),
            prefix: key.hint().to_owned(),
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
    fn from(issued_key: &services::IssuedKey) -> Self {
        let key = Key::from(&issued_key.key);
        Self {
            client_id: key.client_id,
            key_id: key.key_id,
            key: issued_key.secret.expose().to_owned(),
            prefix: key.prefix,
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
    /// Omits the secret, so that no log line can contain it.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("IssuedKey")
            .field("key_id", &self.key_id)
            .field("hint", &self.prefix)
            .finish_non_exhaustive()
    }
}

/// Returns the label of an environment, as used in keys.
pub(super) fn word(environment: Environment) -> String {
    environment.label().to_owned()
}
