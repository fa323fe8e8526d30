//! One layer of a verdict.

use super::{Nats, Versions};
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
    pub ordinal: u32,
    /// Covered checks of the latest day.
    pub day: DayCount,
    /// The latest policy and model that judged.
    pub versions: Versions,
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
    pub const fn on(self, date: i64) -> u32 {
        if self.date == date { self.checks } else { 0 }
    }
}

impl Layer {
    /// A flag that the operator decided, whatever checks say: just enough evidence for it, `tau` nats.
    pub fn decided(tau: Nats, at: Timestamp) -> Self {
        Self { flagged: true, bot: tau, first_flagged_at: Some(at), ..Self::default() }
    }

    /// Both layers' knowledge: commutative, associative and idempotent, with the empty layer as its identity.
    #[must_use]
    pub fn join(self, other: Self) -> Self {
        Self {
            flagged: self.flagged || other.flagged,
            bot: self.bot.max(other.bot),
            human: self.human.max(other.human),
            first_flagged_at: earliest(self.first_flagged_at, other.first_flagged_at),
            ordinal: self.ordinal.max(other.ordinal),
            day: self.day.join(other.day),
            versions: self.versions.join(other.versions),
        }
    }
}

fn earliest(a: Option<Timestamp>, b: Option<Timestamp>) -> Option<Timestamp> {
    a.into_iter().chain(b).min()
}
