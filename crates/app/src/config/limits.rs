//! `[limits]`: rate limits.

use super::diagnostic::Diagnostic;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Rate limits.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Limits {
    /// `false` disables all rate limits.
    pub(crate) enabled: bool,
    /// Maximum rate of lookups of a client that has no rate of its own.
    #[schemars(range(min = 1), extend("x-unit" = "lookups per second"))]
    pub(crate) lookups_per_second: u32,
    /// Maximum burst of lookups of a client.
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

impl Default for Limits {
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

impl Limits {
    pub(super) fn contradictions(&self) -> Vec<Diagnostic> {
        let mut wrong = Vec::new();
        if self.max_checks_per_minute < self.checks_per_minute {
            let sentence = "limits.max_checks_per_minute is below limits.checks_per_minute; give at least as much";
            wrong.push(Diagnostic::new("limits.max_checks_per_minute", sentence));
        }
        wrong
    }
}
