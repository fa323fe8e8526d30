//! Simulates the verdict of one address over successive checks.

use std::time::Duration;
use voight_domain::Timestamp;
use voight_domain::registry::{ContextSettings, MinConfidence};
use voight_domain::verdict::{Answer, Assessment, Layer, LayerKind, Verdict, answer, observe};

/// Time of the first check, in Unix milliseconds.
const BEGIN: i64 = 1_800_000_000_000;
/// Interval between checks: one day, so that the daily limit leaves none unjudged.
const CHECK_INTERVAL: Duration = Duration::from_hours(24);

/// Verdict of an address, updated by its checks.
#[derive(Debug, Clone, Copy)]
pub(super) struct AddressHistory {
    verdict: Verdict,
    now: Timestamp,
}

impl AddressHistory {
    pub(super) fn new() -> Self {
        Self {
            verdict: Verdict::default(),
            now: Timestamp::from_millis(BEGIN),
        }
    }

    /// Adds a check.
    pub(super) fn check(&mut self, assessment: &Assessment) {
        let observation = observe(
            &self.verdict,
            LayerKind::Unverified,
            assessment,
            MinConfidence::default(),
            self.now,
        );
        self.verdict = observation.map_or(self.verdict, |observation| {
            self.verdict.with_observation(&observation)
        });
        self.now = self.now.saturating_add(CHECK_INTERVAL);
    }

    pub(super) fn is_flagged(&self) -> bool {
        self.verdict.unverified.flagged
    }

    /// Returns the answer of a lookup.
    pub(super) fn answer(&self) -> Answer {
        answer(&self.verdict, &ContextSettings::default())
    }
}

/// Returns the layer after one check of a new address.
pub(super) fn layer_after_one_check(assessment: &Assessment) -> Layer {
    let mut history = AddressHistory::new();
    history.check(assessment);
    history.verdict.unverified
}
