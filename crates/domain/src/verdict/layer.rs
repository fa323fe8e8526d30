//! Layer of a verdict.

use super::{Nats, OverrideTo, Versions};
use crate::vocabulary::Timestamp;

/// State of an address in one layer. Every field only grows under [`Layer::join`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Layer {
    /// `true` if a check flagged the address; sticky.
    pub flagged: bool,
    /// Largest bot evidence of one check, in nats, after the multiple-testing correction.
    pub bot: Nats,
    /// Largest human evidence of one check, in nats.
    pub human: Nats,
    /// The time of the first flag.
    pub first_flagged_at: Option<Timestamp>,
    /// Number of conclusive checks.
    pub conclusive_checks: u32,
    /// Conclusive checks of the latest day.
    pub today: DayCount,
    /// The latest policy and model that assessed a check.
    pub versions: Versions,
    /// The operator's override that opened the epoch; no check sets it.
    pub decision: Option<OverrideTo>,
    /// Time of the latest conclusive check; `None` without one.
    ///
    /// Also `None` if all of them were assessed by versions of the service that did not store the time.
    pub last_check_at: Option<Timestamp>,
}

/// Number of conclusive checks on one day (UTC).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct DayCount {
    /// Days since the Unix epoch.
    pub date: i64,
    /// Conclusive checks on that day.
    pub checks: u32,
}

impl DayCount {
    /// Returns the later day; for equal days the larger count.
    fn join(self, other: Self) -> Self {
        if (self.date, self.checks) >= (other.date, other.checks) {
            self
        } else {
            other
        }
    }

    /// Returns the number of conclusive checks on `date`.
    pub const fn count_on(self, date: i64) -> u32 {
        if self.date == date { self.checks } else { 0 }
    }
}

impl Layer {
    /// Returns a flag by decision of the operator, with the minimum evidence for it, `tau` nats.
    pub fn operator_flag(tau: Nats, at: Timestamp) -> Self {
        Self {
            flagged: true,
            bot: tau,
            first_flagged_at: Some(at),
            ..Self::default()
        }
    }

    /// Returns the layer after an override: with the decision, and without checks.
    pub fn overridden(to: OverrideTo, tau: Nats, at: Timestamp) -> Self {
        let layer = match to {
            OverrideTo::Human => Self::default(),
            OverrideTo::Bot => Self::operator_flag(tau, at),
        };
        Self {
            decision: Some(to),
            ..layer
        }
    }

    /// Returns the operator's decision that is in force.
    ///
    /// No check revokes a decision for a bot; a flag of a later check revokes a decision for a human.
    pub fn decision_in_force(&self) -> Option<OverrideTo> {
        self.decision
            .filter(|to| *to == OverrideTo::Bot || !self.flagged)
    }

    /// Returns `true` if no check has contributed to the layer.
    pub fn is_unchecked(&self) -> bool {
        Self {
            decision: None,
            ..*self
        } == Self::default()
    }

    /// Merges two layers: commutative, associative and idempotent, with the empty layer as its identity.
    #[must_use]
    pub fn join(self, other: Self) -> Self {
        Self {
            flagged: self.flagged || other.flagged,
            bot: self.bot.max(other.bot),
            human: self.human.max(other.human),
            first_flagged_at: earliest(self.first_flagged_at, other.first_flagged_at),
            conclusive_checks: self.conclusive_checks.max(other.conclusive_checks),
            today: self.today.join(other.today),
            versions: self.versions.join(other.versions),
            decision: self.decision.max(other.decision),
            last_check_at: self.last_check_at.max(other.last_check_at),
        }
    }
}

fn earliest(a: Option<Timestamp>, b: Option<Timestamp>) -> Option<Timestamp> {
    a.into_iter().chain(b).min()
}
