//! Contexts: one for each quest or instance of a platform.

use super::Client;
use super::settings::{
    ContextMode, ContextSettings, DeviceLimitPolicy, MinConfidence, OwnershipPolicy, PressCount,
    UnverifiedFlagPolicy,
};
use crate::vocabulary::{ClientId, ContextId, Environment, KeyId, Origin, Timestamp};

/// Stored record of a context.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Context {
    /// Id of the context, which holds its title.
    pub id: ContextId,
    /// Number of the context within its client, assigned by the store, from 1.
    ///
    /// Ledger rows hold the number instead of the id.
    pub number: u32,
    /// The client that owns the context.
    pub client: ClientId,
    /// The key of the context: the one that registered it, or the one to which it was moved. The client's access rule
    /// decides whether other keys may use the context ([`Context::is_usable_by`]).
    pub key: KeyId,
    /// The environment, live or sandbox, of the key at registration.
    pub environment: Environment,
    /// Settings of the context.
    pub settings: ContextSettings,
    /// The time of registration.
    pub created_at: Timestamp,
    /// The time at which the context was archived: it opens no new checks, its lookups are still answered.
    pub archived_at: Option<Timestamp>,
}

/// Context to register; the store replaces its number.
pub type NewContext = Context;

/// Change of a context: every member that is set replaces the setting.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ContextChange {
    /// Allowlist of origins, which narrows the client's.
    pub origins: Option<Vec<Origin>>,
    /// Policy for asking for a wallet signature.
    pub ownership_proof: Option<OwnershipPolicy>,
    /// Policy for flags of checks without proof of ownership.
    pub unverified_flags: Option<UnverifiedFlagPolicy>,
    /// Certainty that a flag needs.
    pub min_confidence: Option<MinConfidence>,
    /// Number of presses in a check.
    pub press_count: Option<PressCount>,
    /// Mode of the context: enforce or observe verdicts.
    pub mode: Option<ContextMode>,
    /// Maximum number of addresses of one device.
    pub device_limit: Option<u32>,
    /// Policy for addresses beyond that limit.
    pub device_policy: Option<DeviceLimitPolicy>,
    /// Retention of raw evidence, in days.
    pub retention_days: Option<u16>,
    /// Archives the context at this time, or (`Some(None)`) removes it from the archive.
    pub archived_at: Option<Option<Timestamp>>,
}

/// Decision whether an origin may host a check of a context.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OriginDecision {
    /// The origin is on the allowlist.
    Allowlisted,
    /// No allowlist is registered, so the origin is accepted and reported as not pinned.
    NoAllowlist,
    /// The origin is not on the allowlist.
    Rejected,
}

impl Context {
    /// Returns the context after `change`.
    #[must_use]
    pub fn with_change(mut self, change: ContextChange) -> Self {
        fn set<T>(place: &mut T, value: Option<T>) {
            if let Some(value) = value {
                *place = value;
            }
        }
        let settings = &mut self.settings;
        set(&mut settings.origins, change.origins);
        set(&mut settings.ownership_proof, change.ownership_proof);
        set(&mut settings.unverified_flags, change.unverified_flags);
        set(&mut settings.min_confidence, change.min_confidence);
        set(&mut settings.press_count, change.press_count);
        set(&mut settings.mode, change.mode);
        set(&mut settings.device_limit, change.device_limit);
        set(&mut settings.device_policy, change.device_policy);
        set(&mut settings.retention_days, change.retention_days);
        set(&mut self.archived_at, change.archived_at);
        self
    }

    /// Decides whether `origin` may host this context's checks. The context's allowlist, if it has one, narrows the
    /// client's.
    pub fn decide_origin(&self, client: &Client, origin: &Origin) -> OriginDecision {
        let lists = [&self.settings.origins, &client.origins];
        let mut allowlists = lists.into_iter().filter(|list| !list.is_empty()).peekable();
        if allowlists.peek().is_none() {
            OriginDecision::NoAllowlist
        } else if allowlists.all(|list| list.contains(origin)) {
            OriginDecision::Allowlisted
        } else {
            OriginDecision::Rejected
        }
    }
}
