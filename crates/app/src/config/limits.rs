//! `[limits]`: rate limits.

use super::diagnostic::Diagnostic;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use voight_domain::rate_limit::RateLimitPolicy;

/// Rate limits.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Limits {
    /// `false` disables all rate limits.
    pub(crate) enabled: bool,
    /// Maximum rate of lookups of a client that has no rate of its own. Each entry of a batch counts.
    #[schemars(range(min = 1), extend("x-unit" = "lookups per second"))]
    pub(crate) lookups_per_second: u32,
    /// Maximum burst of lookups of a client. A larger batch is accepted when the burst is completely available.
    #[schemars(range(min = 1), extend("x-unit" = "lookups"))]
    pub(crate) lookup_burst: u32,
    /// Maximum rate of registrations of a client.
    #[schemars(range(min = 1), extend("x-unit" = "registrations per minute"))]
    pub(crate) registrations_per_minute: u32,
    /// Maximum burst of registrations of a client.
    #[schemars(range(min = 1), extend("x-unit" = "registrations"))]
    pub(crate) registration_burst: u32,
    /// Maximum rate of usage requests of a client.
    #[schemars(range(min = 1), extend("x-unit" = "requests per minute"))]
    pub(crate) usage_per_minute: u32,
    /// Maximum burst of usage requests of a client.
    #[schemars(range(min = 1), extend("x-unit" = "requests"))]
    pub(crate) usage_burst: u32,
    /// Maximum rate of requests of a network without a valid key.
    #[schemars(range(min = 1), extend("x-unit" = "requests per minute"))]
    pub(crate) invalid_keys_per_minute: u32,
    /// Rate of checks of a network above which its proof of work becomes harder.
    #[schemars(range(min = 1), extend("x-unit" = "checks per minute"))]
    pub(crate) checks_per_minute: u32,
    /// Maximum rate of checks of a network, at least `checks_per_minute`; further ones are rejected.
    #[schemars(range(min = 1), extend("x-unit" = "checks per minute"))]
    pub(crate) max_checks_per_minute: u32,
}

/// Copies the limits between the two types, whose fields have the same names.
macro_rules! copy_limits {
    ($from:expr, $to:ident) => {{
        let from = $from;
        $to {
            enabled: from.enabled,
            lookups_per_second: from.lookups_per_second,
            lookup_burst: from.lookup_burst,
            registrations_per_minute: from.registrations_per_minute,
            registration_burst: from.registration_burst,
            usage_per_minute: from.usage_per_minute,
            usage_burst: from.usage_burst,
            invalid_keys_per_minute: from.invalid_keys_per_minute,
            checks_per_minute: from.checks_per_minute,
            max_checks_per_minute: from.max_checks_per_minute,
        }
    }};
}

impl Default for Limits {
    fn default() -> Self {
        copy_limits!(RateLimitPolicy::default(), Self)
    }
}

impl Limits {
    /// Returns the rate limits of the domain.
    pub(crate) const fn policy(&self) -> RateLimitPolicy {
        copy_limits!(self, RateLimitPolicy)
    }

    pub(super) fn contradictions(&self) -> Vec<Diagnostic> {
        let mut wrong = Vec::new();
        if self.max_checks_per_minute < self.checks_per_minute {
            let sentence = "limits.max_checks_per_minute is below limits.checks_per_minute; give at least as much";
            wrong.push(Diagnostic::new("limits.max_checks_per_minute", sentence));
        }
        wrong
    }
}
