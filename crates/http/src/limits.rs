//! Rate limits.

mod headers;
mod limiter;
mod monotonic_clock;
mod network;

pub(crate) use headers::RateLimitHeaders;
pub use limiter::{Limiter, RateLimit, RateLimitState, RateLimited};
pub use monotonic_clock::MonotonicClock;
pub use network::Network;

use crate::metrics::LimiterName;
use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};
use voight_domain::rate_limit::{Rate, RateLimitPolicy, excess};
use voight_domain::registry::Client;
use voight_domain::vocabulary::{CheckId, ClientId, KeyId};

/// All rate limiters of the service.
pub struct RateLimiters {
    policy: RateLimitPolicy,
    monotonic_clock: MonotonicClock,
    /// Limiters of lookups by rate. Most clients share one; each individual rate of a client has its own.
    lookups: RwLock<HashMap<u32, Arc<Limiter<ClientId>>>>,
    registrations: Limiter<ClientId>,
    usage: Limiter<ClientId>,
    invalid_keys: Limiter<Network>,
    invalid_admin_tokens: Limiter<Network>,
    leaks: Limiter<KeyId>,
    /// Limiters of opened checks for each network, with increasing rates.
    checks: Vec<Limiter<Network>>,
    max_checks: Limiter<Network>,
    batches: Limiter<CheckId>,
}

impl RateLimiters {
    /// Creates the limiters with their full burst available.
    pub fn new(policy: RateLimitPolicy, monotonic_clock: &MonotonicClock) -> Self {
        Self {
            lookups: RwLock::default(),
            registrations: Limiter::new("register", policy.registrations(), monotonic_clock),
            usage: Limiter::new("usage", policy.usage(), monotonic_clock),
            invalid_keys: Limiter::new("key", policy.invalid_keys(), monotonic_clock),
            invalid_admin_tokens: Limiter::new("token", policy.invalid_keys(), monotonic_clock),
            leaks: Limiter::new("leak", Rate::LEAK_AUDITS, monotonic_clock),
            checks: policy
                .checks()
                .map(|rate| Limiter::new("check", rate, monotonic_clock))
                .collect(),
            max_checks: Limiter::new("check", policy.max_checks(), monotonic_clock),
            batches: Limiter::new("batch", Rate::BATCHES_PER_CHECK, monotonic_clock),
            policy,
            monotonic_clock: monotonic_clock.clone(),
        }
    }

    /// Returns the number of buckets of each kind of limiter.
    pub(crate) fn entries(&self) -> [(LimiterName, usize); 8] {
        let lookups = self.lookups.read().unwrap_or_else(PoisonError::into_inner);
        let checks = self.checks.iter().chain([&self.max_checks]);
        [
            (
                LimiterName::Lookup,
                lookups.values().map(|limiter| limiter.entries()).sum(),
            ),
            (LimiterName::Register, self.registrations.entries()),
            (LimiterName::Usage, self.usage.entries()),
            (LimiterName::Key, self.invalid_keys.entries()),
            (LimiterName::Token, self.invalid_admin_tokens.entries()),
            (LimiterName::Leak, self.leaks.entries()),
            (LimiterName::Check, checks.map(Limiter::entries).sum()),
            (LimiterName::Batch, self.batches.entries()),
        ]
    }

    /// Returns `true` if rate limits are enabled.
    pub const fn enabled(&self) -> bool {
        self.policy.enabled
    }

    /// Returns the limiter of a client's lookups.
    pub fn lookups(&self, client: &Client) -> Arc<Limiter<ClientId>> {
        let count = self.policy.lookups_per_second(client.lookup_rate);
        if let Some(limiter) = self
            .lookups
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .get(&count)
        {
            return Arc::clone(limiter);
        }
        let mut lookups = self.lookups.write().unwrap_or_else(PoisonError::into_inner);
        let fresh = || {
            Arc::new(Limiter::new(
                "lookup",
                self.policy.lookups(count),
                &self.monotonic_clock,
            ))
        };
        Arc::clone(lookups.entry(count).or_insert_with(fresh))
    }

    /// Returns the limiter of registrations.
    pub const fn registrations(&self) -> &Limiter<ClientId> {
        &self.registrations
    }

    /// Returns the limiter of usage reads.
    pub const fn usage(&self) -> &Limiter<ClientId> {
        &self.usage
    }

    /// Counts a request without a valid key.
    pub fn count_invalid_key(&self, network: Network) -> Result<(), RateLimited> {
        if self.enabled() {
            self.invalid_keys.check_network(network).map(drop)
        } else {
            Ok(())
        }
    }

    /// Counts a failed attempt to authenticate at the admin API, at the rate of requests without a valid key.
    pub fn bad_admin_token(&self, network: Network) -> Result<(), RateLimited> {
        if self.enabled() {
            self.invalid_admin_tokens.check_network(network).map(drop)
        } else {
            Ok(())
        }
    }

    /// Returns `true` if a leak of this key is to be audited now.
    pub fn should_audit_leak(&self, key: KeyId) -> bool {
        self.leaks.check(key).is_ok()
    }

    /// Counts a check that a network opens. Returns the multiple of the ordinary rate that the network exceeds (0 if it does
    /// not), or an error if the check is rejected.
    pub fn count_opened_check(&self, network: Network) -> Result<u32, RateLimited> {
        if !self.enabled() {
            return Ok(0);
        }
        // Every limiter counts the check, since each measures its own rate.
        let over = self
            .checks
            .iter()
            .filter(|limiter| limiter.check_network(network).is_err())
            .count();
        self.max_checks.check_network(network)?;
        Ok(excess(over))
    }

    /// Counts a batch of a check.
    pub fn batch(&self, check: CheckId) -> Result<(), RateLimited> {
        if self.enabled() {
            self.batches.check(check).map(drop)
        } else {
            Ok(())
        }
    }
}
