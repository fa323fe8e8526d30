//! Rate limits.

mod headers;
mod limiter;
mod monotonic_clock;
mod network;

pub(crate) use headers::RateLimitHeaders;
pub use limiter::{Limiter, RateLimit, RateLimitState, RateLimited};
pub use monotonic_clock::MonotonicClock;
pub use network::Network;

use crate::settings::LimitSettings;
use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;
use voight_domain::check::CHECK_TTL;
use voight_domain::registry::Client;
use voight_domain::vocabulary::{CheckId, ClientId, KeyId};

const SECOND: Duration = Duration::from_secs(1);
const MINUTE: Duration = Duration::from_mins(1);
/// Maximum number of batches that are read for one check. A window sends two, and repeats those that were lost.
const MAX_BATCHES_PER_CHECK: u32 = 16;
/// Minimum time between two audit entries about a key that leaked into a page.
const LEAK_AUDIT_INTERVAL: Duration = Duration::from_hours(1);

/// All rate limiters of the service.
pub struct RateLimiters {
    settings: LimitSettings,
    ticks: MonotonicClock,
    /// Limiters of lookups by rate. Most clients share one; each individual rate of a client has its own.
    lookups: RwLock<HashMap<u32, Arc<Limiter<ClientId>>>>,
    registrations: Limiter<ClientId>,
    usage: Limiter<ClientId>,
    bad_keys: Limiter<Network>,
    bad_admin_tokens: Limiter<Network>,
    leaks: Limiter<KeyId>,
    /// Limiters of opened checks for each network, with increasing rates. The first has the ordinary rate, each further one
    /// twice the previous rate, up to the rate that is rejected.
    checks: Vec<Limiter<Network>>,
    refused_checks: Limiter<Network>,
    batches: Limiter<CheckId>,
}

impl RateLimiters {
    /// Creates the limiters with their full burst available.
    pub fn new(settings: LimitSettings, ticks: &MonotonicClock) -> Self {
        let LimitSettings { checks_per_minute: checks_grow_from, max_checks_per_minute: checks_refused_from, .. } =
            settings;
        let (count, burst) = (settings.registrations_per_minute, settings.registration_burst);
        let registrations = RateLimit { name: "register", count, period: MINUTE, burst };
        let (count, burst) = (settings.usage_per_minute, settings.usage_burst);
        let usage = RateLimit { name: "usage", count, period: MINUTE, burst };
        let (count, burst) = (MAX_BATCHES_PER_CHECK, MAX_BATCHES_PER_CHECK);
        let batches = RateLimit { name: "batch", count, period: CHECK_TTL, burst };
        let per_minute = |count| Limiter::new(RateLimit { name: "check", count, period: MINUTE, burst: count }, ticks);
        let doublings = std::iter::successors(Some(checks_grow_from.max(1)), |rate| rate.checked_mul(2));
        Self {
            settings,
            ticks: ticks.clone(),
            lookups: RwLock::default(),
            registrations: Limiter::new(registrations, ticks),
            usage: Limiter::new(usage, ticks),
            bad_keys: per_minute(settings.invalid_keys_per_minute),
            bad_admin_tokens: per_minute(settings.invalid_keys_per_minute),
            leaks: Limiter::new(RateLimit { name: "leak", count: 1, period: LEAK_AUDIT_INTERVAL, burst: 1 }, ticks),
            checks: doublings.take_while(|rate| *rate < checks_refused_from).map(per_minute).collect(),
            refused_checks: per_minute(checks_refused_from),
            batches: Limiter::new(batches, ticks),
        }
    }

    /// Returns `true` if rate limits are enabled.
    pub const fn enabled(&self) -> bool {
        self.settings.enabled
    }

    /// Returns the limiter of a client's lookups, at the client's own rate if it has one. The ratio of burst to rate stays the
    /// same.
    pub fn lookups(&self, client: &Client) -> Arc<Limiter<ClientId>> {
        let LimitSettings { lookups_per_second, lookup_burst, .. } = self.settings;
        let rate = client.lookup_rate.unwrap_or(lookups_per_second).max(1);
        if let Some(limiter) = self.lookups.read().unwrap_or_else(PoisonError::into_inner).get(&rate) {
            return Arc::clone(limiter);
        }
        let burst = u64::from(rate) * u64::from(lookup_burst) / u64::from(lookups_per_second.max(1));
        let burst = u32::try_from(burst).unwrap_or(u32::MAX);
        let mut lookups = self.lookups.write().unwrap_or_else(PoisonError::into_inner);
        let fresh =
            || Arc::new(Limiter::new(RateLimit { name: "lookup", count: rate, period: SECOND, burst }, &self.ticks));
        Arc::clone(lookups.entry(rate).or_insert_with(fresh))
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
        if self.enabled() { self.bad_keys.check(network).map(drop) } else { Ok(()) }
    }

    /// Counts a failed attempt to authenticate at the admin API, at the rate of requests without a valid key.
    pub fn bad_admin_token(&self, network: Network) -> Result<(), RateLimited> {
        if self.enabled() { self.bad_admin_tokens.check(network).map(drop) } else { Ok(()) }
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
        let over = self.checks.iter().filter(|limiter| limiter.check(network).is_err()).count();
        self.refused_checks.check(network)?;
        Ok(if over == 0 { 0 } else { 1 << (over - 1).min(31) })
    }

    /// Counts a batch of a check. The limit bounds the evaluations that a visitor gets for one proof of work.
    pub fn batch(&self, check: CheckId) -> Result<(), RateLimited> {
        if self.enabled() { self.batches.check(check).map(drop) } else { Ok(()) }
    }
}
