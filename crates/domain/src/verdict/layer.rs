//! One layer of a verdict.

use super::{Nats, OverrideTo, Versions};
use crate::vocabulary::Timestamp;

/// What is known of an address in one layer. Every field only grows under [`Layer::join`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Layer {
    /// Whether a check flagged the address; sticky.
    pub flagged: bool,
    /// The strongest evidence for a bot, after the spread over checks.
    pub bot: Nats,
    /// The strongest evidence for a human.
    pub human: Nats,
    /// When it was first flagged.
    pub first_flagged_at: Option<Timestamp>,
    /// How many covered checks there were.
    pub conclusive_checks: u32,
    /// Covered checks of the latest day.
    pub today: DayCount,
    /// The latest policy and model that judged.
    pub versions: Versions,
    /// The operator's override that opened the epoch; no check makes one.
    pub decision: Option<OverrideTo>,
    /// Time of the latest conclusive check; `None` of none, or where only versions of the service judged that did not keep it.
    pub last_check_at: Option<Timestamp>,
}

/// Covered checks on one day (UTC).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct DayCount {
    /// Days since the Unix epoch.
    pub date: i64,
    /// Covered checks on that day.
    pub checks: u32,
}

impl DayCount {
    /// The later day; on equal days the larger count.
    fn join(self, other: Self) -> Self {
        if (self.date, self.checks) >= (other.date, other.checks) { self } else { other }
    }

    /// Covered checks on `date`.
    pub const fn count_on(self, date: i64) -> u32 {
        if self.date == date { self.checks } else { 0 }
    }
}

impl Layer {
    /// A flag that the operator decided, whatever checks say: just enough evidence for it, `tau` nats.
    pub fn operator_flag(tau: Nats, at: Timestamp) -> Self {
        Self { flagged: true, bot: tau, first_flagged_at: Some(at), ..Self::default() }
    }

    /// The layer that an override leaves: certain, and without a check.
    pub fn overridden(to: OverrideTo, tau: Nats, at: Timestamp) -> Self {
        let layer = match to {
            OverrideTo::Human => Self::default(),
            OverrideTo::Bot => Self::operator_flag(tau, at),
        };
        Self { decision: Some(to), ..layer }
    }

    /// The operator's decision that still holds: no check takes back a bot, and a flag of a later check takes back a human.
    pub fn decision_in_force(&self) -> Option<OverrideTo> {
        self.decision.filter(|to| *to == OverrideTo::Bot || !self.flagged)
    }

    /// Returns true if no check has added anything.
    pub fn is_unchecked(&self) -> bool {
        Self { decision: None, ..*self } == Self::default()
    }

    /// Both layers' knowledge: commutative, associative and idempotent, with the empty layer as its identity.
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
