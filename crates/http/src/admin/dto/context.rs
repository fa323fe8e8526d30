//! Contexts.

use crate::api::context_settings::{ContextMode, DeviceLimitPolicy, OwnershipPolicy, UnverifiedFlagPolicy};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use voight_domain::registry;

/// A context.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Context {
    /// Its id.
    pub context_id: String,
    /// The title in it.
    pub title: String,
    /// Whose it is.
    pub client_id: String,
    /// The key that it is tied to: the one that registered it, or the one that it was moved to.
    pub key_id: String,
    /// `live` or `test`.
    pub environment: String,
    /// Its settings.
    pub settings: ContextSettings,
    /// When it was registered.
    pub created_at: String,
    /// When it was archived.
    pub archived_at: Option<String>,
}

/// The settings of a context.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ContextSettings {
    /// Origins that may host its checks, narrowing the client's; none means the client's.
    pub origins: Vec<String>,
    /// When a check asks for a wallet signature.
    pub binding: OwnershipPolicy,
    /// What becomes of flags that anybody could have caused.
    pub claimed_flags: UnverifiedFlagPolicy,
    /// The certainty that a flag asks for, in percent.
    pub sensitivity: u8,
    /// How many presses a check with a pointer asks for.
    pub presses: u8,
    /// Whether verdicts are acted on.
    pub mode: ContextMode,
    /// How many addresses one device may present.
    pub device_limit: u32,
    /// What happens to addresses beyond that limit.
    pub device_policy: DeviceLimitPolicy,
    /// Days for which raw evidence is kept.
    pub retention_days: u16,
}

/// A context to register.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewContext {
    /// The key that registers it, and that it is tied to.
    pub key_id: String,
    /// Its title.
    pub title: String,
}

/// A move of a context to another key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ContextMove {
    /// A key of the same client and environment.
    pub to_key: String,
    /// Why; it is kept in the audit log.
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
            binding: settings.binding.into(),
            claimed_flags: settings.claimed_flags.into(),
            sensitivity: settings.sensitivity.percent(),
            presses: settings.presses.count(),
            mode: settings.mode.into(),
            device_limit: settings.device_limit,
            device_policy: settings.device_policy.into(),
            retention_days: settings.retention_days,
        }
    }
}
