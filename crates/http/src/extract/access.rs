//! Access policies of the public API: the scope and the rate limit of a handler.

use crate::limits::{RateLimitState, RateLimited, RateLimiters};
use voight_domain::registry::Client;
use voight_domain::vocabulary::Scope;

/// Authorisation that a handler requires: a scope and a rate limit.
pub trait AccessPolicy: 'static {
    /// Scope that the key needs.
    const SCOPE: Scope;

    /// `true` if the handler revalidates the key, so that a cached key suffices for the authorisation.
    const REVALIDATED: bool = false;

    /// Counts a request of the client.
    fn count(limits: &RateLimiters, client: &Client) -> Result<RateLimitState, RateLimited>;

    /// Returns the client's rate limit state without counting.
    fn peek(limits: &RateLimiters, client: &Client) -> RateLimitState;
}

/// Lookups.
#[derive(Debug)]
pub enum LookupAccess {}

/// Sessions and receipts. Counted as lookups.
#[derive(Debug)]
pub enum SessionAccess {}

/// Registration and changes of contexts.
#[derive(Debug)]
pub enum RegistryAccess {}

/// Reads of the event feed. Counted as reads of usage.
#[derive(Debug)]
pub enum EventAccess {}

/// Reads and changes of webhook endpoints. Counted as reads of usage.
#[derive(Debug)]
pub enum WebhookAccess {}

/// Reads of usage, ledger heads and exports.
#[derive(Debug)]
pub enum UsageAccess {}

impl AccessPolicy for LookupAccess {
    const SCOPE: Scope = Scope::LookupRead;
    const REVALIDATED: bool = true;

    fn count(limits: &RateLimiters, client: &Client) -> Result<RateLimitState, RateLimited> {
        limits.lookups(client).check(client.id)
    }

    fn peek(limits: &RateLimiters, client: &Client) -> RateLimitState {
        limits.lookups(client).peek(client.id)
    }
}

impl AccessPolicy for SessionAccess {
    const SCOPE: Scope = LookupAccess::SCOPE;

    fn count(limits: &RateLimiters, client: &Client) -> Result<RateLimitState, RateLimited> {
        LookupAccess::count(limits, client)
    }

    fn peek(limits: &RateLimiters, client: &Client) -> RateLimitState {
        LookupAccess::peek(limits, client)
    }
}

impl AccessPolicy for RegistryAccess {
    const SCOPE: Scope = Scope::ContextRegister;

    fn count(limits: &RateLimiters, client: &Client) -> Result<RateLimitState, RateLimited> {
        limits.registrations().check(client.id)
    }

    fn peek(limits: &RateLimiters, client: &Client) -> RateLimitState {
        limits.registrations().peek(client.id)
    }
}

impl AccessPolicy for UsageAccess {
    const SCOPE: Scope = Scope::UsageRead;

    fn count(limits: &RateLimiters, client: &Client) -> Result<RateLimitState, RateLimited> {
        limits.usage().check(client.id)
    }

    fn peek(limits: &RateLimiters, client: &Client) -> RateLimitState {
        limits.usage().peek(client.id)
    }
}

impl AccessPolicy for EventAccess {
    const SCOPE: Scope = Scope::EventsRead;

    fn count(limits: &RateLimiters, client: &Client) -> Result<RateLimitState, RateLimited> {
        UsageAccess::count(limits, client)
    }

    fn peek(limits: &RateLimiters, client: &Client) -> RateLimitState {
        UsageAccess::peek(limits, client)
    }
}

impl AccessPolicy for WebhookAccess {
    const SCOPE: Scope = Scope::WebhooksWrite;

    fn count(limits: &RateLimiters, client: &Client) -> Result<RateLimitState, RateLimited> {
        UsageAccess::count(limits, client)
    }

    fn peek(limits: &RateLimiters, client: &Client) -> RateLimitState {
        UsageAccess::peek(limits, client)
    }
}
