//! `[limits]`: rate limits.

use super::diagnostic::Diagnostic;
use serde::{Deserialize, Serialize};

/// Rate limits. Each limit is a number per time unit, with a burst.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Limits {
    /// `true` when rate limits are in force.
    pub(crate) enabled: bool,
    /// Lookups per second of a client.
    pub(crate) lookup_per_second: u32,
    /// Burst of lookups of a client.
    pub(crate) lookup_burst: u32,
    /// Registrations per minute of a client.
    pub(crate) register_per_minute: u32,
    /// Burst of registrations of a client.
    pub(crate) register_burst: u32,
    /// Usage requests per minute of a client.
    pub(crate) usage_per_minute: u32,
    /// Burst of usage requests of a client.
    pub(crate) usage_burst: u32,
    /// Requests per minute of a network without a valid key.
    pub(crate) failures_per_minute: u32,
    /// Checks per minute of a network from which the proof of work becomes harder.
    pub(crate) checks_per_minute: u32,
    /// Checks per minute of a network from which checks are rejected.
    pub(crate) checks_refused_per_minute: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            enabled: true,
            lookup_per_second: 200,
            lookup_burst: 400,
            register_per_minute: 10,
            register_burst: 60,
            usage_per_minute: 60,
            usage_burst: 30,
            failures_per_minute: 20,
            checks_per_minute: 30,
            checks_refused_per_minute: 300,
        }
    }
}

impl Limits {
    pub(super) fn contradictions(&self) -> Vec<Diagnostic> {
        let rates = [
            ("lookup_per_second", self.lookup_per_second),
            ("lookup_burst", self.lookup_burst),
            ("register_per_minute", self.register_per_minute),
            ("register_burst", self.register_burst),
            ("usage_per_minute", self.usage_per_minute),
            ("usage_burst", self.usage_burst),
            ("failures_per_minute", self.failures_per_minute),
            ("checks_per_minute", self.checks_per_minute),
        ];
        let zero = rates.into_iter().filter(|(_, rate)| *rate == 0).map(|(key, _)| {
            let reason = "is 0, which refuses everything; give at least 1, or set limits.enabled = false";
            Diagnostic::new(format!("limits.{key}"), format!("limits.{key} {reason}"))
        });
        let mut wrong: Vec<_> = zero.collect();
        if self.checks_refused_per_minute < self.checks_per_minute {
            let sentence = "limits.checks_refused_per_minute is below limits.checks_per_minute; give at least as much";
            wrong.push(Diagnostic::new("limits.checks_refused_per_minute", sentence));
        }
        wrong
    }
}
