//! One address in one context, check by check.

use std::time::Duration;
use voight_domain::Timestamp;
use voight_domain::registry::{ContextSettings, Sensitivity};
use voight_domain::verdict::{Answer, Assessment, Layer, LayerKind, Verdict, answer, observe};

/// When the first check is, in Unix milliseconds.
const BEGIN: i64 = 1_800_000_000_000;
/// Checks are a day apart, so that none is left unjudged because there were too many on its day.
const CHECK_INTERVAL: Duration = Duration::from_hours(24);

/// The verdict of an address as its checks change it.
#[derive(Debug, Clone, Copy)]
pub(super) struct AddressHistory {
    verdict: Verdict,
    now: Timestamp,
}

impl AddressHistory {
    pub(super) fn new() -> Self {
        Self { verdict: Verdict::default(), now: Timestamp::from_millis(BEGIN) }
    }

    /// One more check.
    pub(super) fn check(&mut self, found: &Assessment) {
        let seen = observe(&self.verdict, LayerKind::Unverified, found, Sensitivity::default(), self.now);
        self.verdict = seen.map_or(self.verdict, |seen| self.verdict.with_observation(&seen));
        self.now = self.now.saturating_add(CHECK_INTERVAL);
    }

    pub(super) fn is_flagged(&self) -> bool {
        self.verdict.claimed.flagged
    }

    /// What a lookup answers.
    pub(super) fn answer(&self) -> Answer {
        answer(&self.verdict, &ContextSettings::default())
    }
}

/// What one check says of an address that nothing else is known of.
pub(super) fn alone(found: &Assessment) -> Layer {
    let mut life = AddressHistory::new();
    life.check(found);
    life.verdict.claimed
}
