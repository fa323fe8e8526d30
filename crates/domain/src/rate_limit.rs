//! Rate limits, as an operator configures them.

use crate::check::CHECK_TTL;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::time::Duration;

const SECOND: Duration = Duration::from_secs(1);
const MINUTE: Duration = Duration::from_mins(1);

/// Average rate of requests, and the number of requests that may exceed it at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rate {
    /// Number of requests in each period.
    pub count: u32,
    /// Period of the count.
    pub period: Duration,
    /// Maximum number of requests at once.
    pub burst: u32,
}

impl Rate {
    /// Minimum time between two audit entries about an API key that leaked into a page.
    pub const LEAK_AUDITS: Self = Self {
        count: 1,
        period: Duration::from_hours(1),
        burst: 1,
    };
    /// Maximum number of batches that are read for one check. A window sends two, and repeats those that were lost. The limit
    /// bounds the evaluations that a visitor gets for one proof of work.
    pub const BATCHES_PER_CHECK: Self = Self {
        count: 16,
        period: CHECK_TTL,
        burst: 16,
    };

    /// Returns a rate per minute whose burst is the count of a minute.
    const fn per_minute(count: u32) -> Self {
        Self {
            count,
            period: MINUTE,
            burst: count,
        }
    }
}

/// Rate limits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct RateLimitPolicy {
    /// `false` disables all rate limits.
    pub enabled: bool,
    /// Maximum rate of lookups of a client that has no rate of its own. Each entry of a batch counts.
    #[schemars(range(min = 1), extend("x-unit" = "lookups per second"))]
    pub lookups_per_second: u32,
    /// Maximum burst of lookups of a client. A larger batch is accepted when the burst is completely available.
    #[schemars(range(min = 1), extend("x-unit" = "lookups"))]
    pub lookup_burst: u32,
    /// Maximum rate of registrations of a client.
    #[schemars(range(min = 1), extend("x-unit" = "registrations per minute"))]
    pub registrations_per_minute: u32,
    /// Maximum burst of registrations of a client.
    #[schemars(range(min = 1), extend("x-unit" = "registrations"))]
    pub registration_burst: u32,
    /// Maximum rate of usage requests of a client.
    #[schemars(range(min = 1), extend("x-unit" = "requests per minute"))]
    pub usage_per_minute: u32,
    /// Maximum burst of usage requests of a client.
    #[schemars(range(min = 1), extend("x-unit" = "requests"))]
    pub usage_burst: u32,
    /// Maximum rate of requests of a network without a valid key.
    #[schemars(range(min = 1), extend("x-unit" = "requests per minute"))]
    pub invalid_keys_per_minute: u32,
    /// Rate of checks of a network above which its proof of work becomes harder.
    #[schemars(range(min = 1), extend("x-unit" = "checks per minute"))]
    pub checks_per_minute: u32,
    /// Maximum rate of checks of a network, at least `checks_per_minute`; further ones are rejected.
    #[schemars(range(min = 1), extend("x-unit" = "checks per minute"))]
    pub max_checks_per_minute: u32,
}

impl Default for RateLimitPolicy {
    fn default() -> Self {
        Self {
            enabled: true,
            lookups_per_second: 200,
            lookup_burst: 400,
            registrations_per_minute: 10,
            registration_burst: 60,
            usage_per_minute: 60,
            usage_burst: 30,
            invalid_keys_per_minute: 20,
            checks_per_minute: 30,
            max_checks_per_minute: 300,
        }
    }
}

impl RateLimitPolicy {
    /// Returns the number of lookups per second of a client, which is `own` if the client has a rate of its own.
    pub fn lookups_per_second(&self, own: Option<u32>) -> u32 {
        own.unwrap_or(self.lookups_per_second).max(1)
    }

    /// Returns the rate of this number of lookups per second. The ratio of burst to rate is the same for all clients.
    pub fn lookups(&self, count: u32) -> Rate {
        let burst = u64::from(count) * u64::from(self.lookup_burst)
            / u64::from(self.lookups_per_second.max(1));
        Rate {
            count,
            period: SECOND,
            burst: u32::try_from(burst).unwrap_or(u32::MAX),
        }
    }

    /// Returns the rate of a client's registrations.
    pub const fn registrations(&self) -> Rate {
        Rate {
            count: self.registrations_per_minute,
            period: MINUTE,
            burst: self.registration_burst,
        }
    }

    /// Returns the rate of a client's usage reads.
    pub const fn usage(&self) -> Rate {
        Rate {
            count: self.usage_per_minute,
            period: MINUTE,
            burst: self.usage_burst,
        }
    }

    /// Returns the rate of a network's requests without a valid key or admin token.
    pub const fn invalid_keys(&self) -> Rate {
        Rate::per_minute(self.invalid_keys_per_minute)
    }

    /// Returns the rates of a network's checks above each of which the proof of work becomes harder: the ordinary rate, and each
    /// further one twice the previous rate, up to the rate that is rejected.
    pub fn checks(&self) -> impl Iterator<Item = Rate> {
        let first = self.checks_per_minute.max(1);
        let end = self.max_checks_per_minute;
        let doublings = std::iter::successors(Some(first), |rate| rate.checked_mul(2));
        doublings
            .take_while(move |rate| *rate < end)
            .map(Rate::per_minute)
    }

    /// Returns the rate above which a network's checks are rejected.
    pub const fn max_checks(&self) -> Rate {
        Rate::per_minute(self.max_checks_per_minute)
    }
}

/// Returns the multiple of the ordinary rate that a network exceeds (0 if it does not), for the number of
/// [rates](RateLimitPolicy::checks) that it exceeds.
pub fn excess(exceeded: usize) -> u32 {
    exceeded
        .checked_sub(1)
        .map_or(0, |doublings| 1 << doublings.min(31))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn client_rate_keeps_the_burst_ratio() {
        let policy = RateLimitPolicy {
            lookups_per_second: 2,
            lookup_burst: 5,
            ..RateLimitPolicy::default()
        };
        let rate = |own_rate| {
            let Rate { count, burst, .. } = policy.lookups(policy.lookups_per_second(own_rate));
            (count, burst)
        };
        assert_eq!(
            [None, Some(4), Some(0), Some(u32::MAX)].map(rate),
            [(2, 5), (4, 10), (1, 2), (u32::MAX, u32::MAX)]
        );
    }

    #[test]
    fn check_rates_double_until_rejection() {
        let counts =
            |policy: RateLimitPolicy| policy.checks().map(|rate| rate.count).collect::<Vec<_>>();
        assert_eq!(counts(RateLimitPolicy::default()), [30, 60, 120, 240]);
        let equal = RateLimitPolicy {
            max_checks_per_minute: 30,
            ..RateLimitPolicy::default()
        };
        assert_eq!((counts(equal), equal.max_checks().burst), (vec![], 30));
        assert_eq!([0, 1, 2, 3, 40].map(excess), [0, 1, 2, 4, 1 << 31]);
    }
}
