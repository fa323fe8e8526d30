//! Contexts: one per quest or instance of a platform.

use super::Client;
use super::settings::{
    ContextMode, ContextSettings, DeviceLimitPolicy, OwnershipPolicy, PressCount, Sensitivity, UnverifiedFlagPolicy,
};
use crate::vocabulary::{ClientId, ContextId, Environment, KeyId, Origin, Timestamp};

/// A context as it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Context {
    /// Its id, which holds its title.
    pub id: ContextId,
    /// A small number within its client, given by the store, from 1; ledger rows carry it instead of the id.
    pub number: u32,
    /// The client it belongs to.
    pub client: ClientId,
    /// The key that it is tied to: the one that registered it, or the one that it was moved to. Which other keys may use it is
    /// the client's to say ([`Context::is_usable_by`]).
    pub key: KeyId,
    /// Live or sandbox, as the key was.
    pub environment: Environment,
    /// Its settings.
    pub settings: ContextSettings,
    /// When it was registered.
    pub created_at: Timestamp,
    /// When it was archived: it opens no new checks, its lookups still answer.
    pub archived_at: Option<Timestamp>,
}

/// A context about to be registered; the store replaces its number.
pub type NewContext = Context;

/// A change of a context: every member that is set replaces the setting.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ContextChange {
    /// Origins that narrow the client's.
    pub origins: Option<Vec<Origin>>,
    /// When a check asks for a wallet signature.
    pub binding: Option<OwnershipPolicy>,
    /// What becomes of claimed flags.
    pub claimed_flags: Option<UnverifiedFlagPolicy>,
    /// How certain a flag has to be.
    pub sensitivity: Option<Sensitivity>,
    /// How many presses a check asks for.
    pub presses: Option<PressCount>,
    /// Whether verdicts are acted on.
    pub mode: Option<ContextMode>,
    /// How many addresses one device may present.
    pub device_limit: Option<u32>,
    /// What happens beyond that limit.
    pub device_policy: Option<DeviceLimitPolicy>,
    /// Days for which raw evidence is kept.
    pub retention_days: Option<u16>,
    /// Archives the context at this time, or (`Some(None)`) takes it out of the archive.
    pub archived_at: Option<Option<Timestamp>>,
}

/// Whether an origin may host a check of a context.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OriginDecision {
    /// It is on the list.
    Allowlisted,
    /// No list is registered, so it is accepted and reported as unpinned.
    NoAllowlist,
    /// It is not on the list.
    Refused,
}

impl Context {
    /// The context after `change`.
    #[must_use]
    pub fn with_change(mut self, change: ContextChange) -> Self {
        fn set<T>(place: &mut T, value: Option<T>) {
            if let Some(value) = value {
                *place = value;
            }
        }
        let settings = &mut self.settings;
        set(&mut settings.origins, change.origins);
        set(&mut settings.binding, change.binding);
        set(&mut settings.claimed_flags, change.claimed_flags);
        set(&mut settings.sensitivity, change.sensitivity);
        set(&mut settings.presses, change.presses);
        set(&mut settings.mode, change.mode);
        set(&mut settings.device_limit, change.device_limit);
        set(&mut settings.device_policy, change.device_policy);
        set(&mut settings.retention_days, change.retention_days);
        set(&mut self.archived_at, change.archived_at);
        self
    }

    /// Whether `origin` may host this context's checks: the context's list, if it has one, narrows the client's.
    pub fn decide_origin(&self, client: &Client, origin: &Origin) -> OriginDecision {
        let lists = [&self.settings.origins, &client.origins];
        let mut registered = lists.into_iter().filter(|list| !list.is_empty()).peekable();
        if registered.peek().is_none() {
            OriginDecision::NoAllowlist
        } else if registered.all(|list| list.contains(origin)) {
            OriginDecision::Allowlisted
        } else {
            OriginDecision::Refused
        }
    }
}
