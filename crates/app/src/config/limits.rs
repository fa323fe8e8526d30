//! `[limits]`: rate limits.

use super::remark::Diagnostic;
use serde::{Deserialize, Serialize};

/// Rate limits. Each limit is a number per time unit, with a burst.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Limits {
    /// `true` when rate limits are in force.
    pub(crate) enabled: bool,
    /// Lookups per second of a client.
    pub(crate) lookups_per_second: u32,
    /// Burst of lookups of a client.
    pub(crate) lookup_burst: u32,
    /// Registrations per minute of a client.
    pub(crate) registrations_per_minute: u32,
    /// Burst of registrations of a client.
    pub(crate) registration_burst: u32,
    /// Usage requests per minute of a client.
    pub(crate) usage_per_minute: u32,
    /// Burst of usage requests of a client.
    pub(crate) usage_burst: u32,
    /// Requests per minute of a network without a valid key.
    pub(crate) invalid_keys_per_minute: u32,
    /// Checks per minute of a network from which the proof of work becomes harder.
    pub(crate) checks_per_minute: u32,
    /// Checks per minute of a network from which checks are rejected.
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
        let rates = [
            ("lookups_per_second", self.lookups_per_second),
            ("lookup_burst", self.lookup_burst),
            ("registrations_per_minute", self.registrations_per_minute),
            ("registration_burst", self.registration_burst),
            ("usage_per_minute", self.usage_per_minute),
            ("usage_burst", self.usage_burst),
            ("invalid_keys_per_minute", self.invalid_keys_per_minute),
            ("checks_per_minute", self.checks_per_minute),
        ];
        let zero = rates.into_iter().filter(|(_, rate)| *rate == 0).map(|(key, _)| {
            let reason = "is 0, which refuses everything; give at least 1, or set limits.enabled = false";
            Diagnostic::new(format!("limits.{key}"), format!("limits.{key} {reason}"))
        });
        let mut wrong: Vec<_> = zero.collect();
        if self.max_checks_per_minute < self.checks_per_minute {
            let sentence = "limits.max_checks_per_minute is below limits.checks_per_minute; give at least as much";
            wrong.push(Diagnostic::new("limits.max_checks_per_minute", sentence));
        }
        wrong
    }
}
