//! The rule table.

mod access;
mod causes;
mod coordinates;
mod debugger;
mod declared;
mod engine;
mod environment;
mod graphics;
mod group;
mod hand;
mod header;
mod keyboard;
mod kinematics;
pub(crate) mod moves;
mod not_rules;
mod other_pointer;
mod rates;
mod row;
mod screen;
mod synthetic;
mod system;
mod table;
pub(crate) mod timing;
mod transport;

pub(crate) use causes::assign_causes;
pub use group::CauseGroup;
pub use not_rules::{REJECTED_SIGNALS, RejectedSignal};
pub use rates::{RuleRateTable, RuleRates, SampleSize, Sources, rates};
pub use table::rules;

use crate::facts::CheckFacts;
use voight_domain::verdict::Nats;

/// The version of the rule table; it grows with every change that may change an assessment.
pub const POLICY_VERSION: u32 = 3;
/// The most that hard rules add together.
pub(crate) const HARD_CAP: Nats = Nats::from_milli(6000);
/// The most that a soft rule adds while nobody has measured it on people in browsers.
pub(crate) const SOFT_CAP: Nats = Nats::from_milli(2000);
/// The most that the behaviour model adds, which was measured on people, though not in browsers of today.
pub(crate) const MODEL_CAP: Nats = Nats::from_milli(3000);

/// One row of the table.
#[derive(Debug, Clone, Copy)]
pub struct Rule {
    /// Its stable name.
    pub name: &'static str,
    /// What it says when it fires.
    pub meaning: &'static str,
    /// The evidence without which it stays silent.
    pub required_evidence: &'static str,
    /// The innocent cause it shares with other rules.
    pub group: CauseGroup,
    /// Other innocent causes that explain it as well.
    pub other_groups: &'static [CauseGroup],
    /// How a person comes to trip it.
    pub benign_explanation: &'static str,
    /// What it adds, before the caps; where that depends on what was seen, the most that it adds.
    pub weight: Nats,
    /// Whether it is on the closed list that convicts alone.
    pub hard: bool,
    /// Whether it is only watched: it is reported, but never counts.
    pub shadow: bool,
    check: RuleEvaluator,
}

/// How a rule looks at a check: what was seen, in words, if it fires.
#[derive(Debug, Clone, Copy)]
enum RuleEvaluator {
    /// The rule weighs the same whenever it fires.
    FixedWeight(fn(&CheckFacts) -> Option<String>),
    /// What the rule weighs depends on what it saw.
    MeasuredWeight(fn(&CheckFacts) -> Option<RuleMatch>),
}

/// What a rule saw.
#[derive(Debug, Clone)]
pub(crate) struct RuleMatch {
    /// What it adds, at least nothing.
    pub(crate) weight: Nats,
    /// In words.
    pub(crate) reason: String,
}

impl Rule {
    /// What was seen, if the rule fires, with its weight within the cap. Missing evidence never makes one fire.
    pub(crate) fn evaluate(&self, facts: &CheckFacts) -> Option<RuleMatch> {
        let most = self.weight.min(self.cap());
        match self.check {
            RuleEvaluator::FixedWeight(look) => look(facts).map(|reason| RuleMatch { weight: most, reason }),
            RuleEvaluator::MeasuredWeight(look) => {
                look(facts).map(|seen| RuleMatch { weight: seen.weight.min(most), ..seen })
            }
        }
    }

    /// The innocent causes that explain it, its own group first.
    pub fn causes(&self) -> impl DoubleEndedIterator<Item = CauseGroup> {
        std::iter::once(self.group).chain(self.other_groups.iter().copied())
    }

    /// The most that it may weigh.
    pub const fn cap(&self) -> Nats {
        match self.check {
            _ if self.hard => HARD_CAP,
            RuleEvaluator::FixedWeight(_) => SOFT_CAP,
            RuleEvaluator::MeasuredWeight(_) => MODEL_CAP,
        }
    }
}
