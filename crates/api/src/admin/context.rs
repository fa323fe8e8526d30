//! Contexts.

use crate::public::{ContextMode, DeviceLimitPolicy, OwnershipPolicy, UnverifiedFlagPolicy};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use voight_domain::registry;

/// Context: the scope of verdicts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Context {
    /// Context id.
    pub context_id: String,
    /// Title, the first part of the id.
    pub title: String,
    /// Client that owns the context.
    pub client_id: String,
    /// Key to which the context is assigned: the key that registered it, or the key to which it was moved.
    pub key_id: String,
    /// Environment: `live` or `test`.
    pub environment: String,
    /// Settings of the context.
    pub settings: ContextSettings,
    /// Time of registration.
    pub created_at: String,
    /// Time of archiving; null if the context is not archived.
    pub archived_at: Option<String>,
}

/// Settings of a context.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ContextSettings {
    /// Origins that may host checks, a subset of the client's; if empty, the client's origins apply.
    pub origins: Vec<String>,
    /// Checks that require a wallet signature.
    pub ownership_proof: OwnershipPolicy,
    /// Treatment of flags of checks without proof of wallet ownership.
    pub unverified_flags: UnverifiedFlagPolicy,
    /// Certainty that a flag requires, in percent.
    pub min_confidence: u8,
    /// Number of presses in a check with a pointer.
    pub press_count: u8,
    /// Mode: `enforce` reports flags in verdicts, `observe` does not.
    pub mode: ContextMode,
    /// Maximum number of addresses for each device.
    pub device_limit: u32,
    /// Treatment of addresses above `device_limit`.
    pub device_policy: DeviceLimitPolicy,
    /// Retention of raw evidence, in days.
    pub retention_days: u16,
}

/// Context to register.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewContext {
    /// Key that registers the context, and to which it is assigned.
    pub key_id: String,
    /// Context title.
    pub title: String,
}

/// Move of a context to another key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ContextMove {
    /// Key of the same client and environment.
    pub to_key: String,
    /// Reason, written to the audit log.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

impl From<&registry::Context> for Context {
    fn from(context: &registry::Context) -> Self {
        Self {
            context_id: context.id.to_string(),
            title: context.id.title().to_owned(),
            client_id: context.client.to_string(),
            key_id: context.key.to_string(),
            environment: super::key::word(context.environment),
            settings: (&context.settings).into(),
            created_at: context.created_at.to_string(),
            archived_at: super::optional(context.archived_at),
        }
    }
}

impl From<&registry::ContextSettings> for ContextSettings {
    fn from(settings: &registry::ContextSettings) -> Self {
        Self {
            origins: super::texts(&settings.origins),
            ownership_proof: settings.ownership_proof.into(),
            unverified_flags: settings.unverified_flags.into(),
            min_confidence: settings.min_confidence.percent(),
            press_count: settings.press_count.count(),
            mode: settings.mode.into(),
            device_limit: settings.device_limit,
            device_policy: settings.device_policy.into(),
            retention_days: settings.retention_days,
        }
    }
}
