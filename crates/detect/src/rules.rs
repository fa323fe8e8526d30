//! Rule table.

mod access;
mod builders;
mod causes;
mod coordinates;
mod debugger;
mod declared;
mod engine;
mod environment;
mod graphics;
mod group;
mod header;
mod keyboard;
mod kinematics;
mod mouse;
pub(crate) mod move_delivery;
mod other_pointer;
mod rates;
mod rejected_signals;
mod screen;
mod synthetic;
mod system;
mod table;
pub(crate) mod timing;
mod transport;

pub(crate) use causes::assign_causes;
pub use group::CauseGroup;
pub use rates::{RuleRateTable, RuleRates, SampleSize, Sources, rates};
pub use rejected_signals::{REJECTED_SIGNALS, RejectedSignal};
pub use table::rules;

use crate::facts::CheckFacts;
use crate::model::ModelJudgement;
use voight_domain::verdict::Nats;

/// Version of the rule table; it increases with every change that may change an assessment.
pub const POLICY_VERSION: u32 = 3;
/// Minimum version of an operator's policy; lower versions belong to releases.
pub const FIRST_CUSTOM_VERSION: u32 = 1000;
/// Maximum sum of hard rules.
pub(crate) const HARD_CAP: Nats = Nats::from_milli(6000);
/// Maximum weight of a soft rule that was not measured on people in browsers.
pub(crate) const SOFT_CAP: Nats = Nats::from_milli(2000);
/// Maximum weight of the behaviour model, which was measured on people, but not in current browsers.
pub(crate) const MODEL_CAP: Nats = Nats::from_milli(3000);

/// Row of the rule table.
#[derive(Debug, Clone, Copy)]
pub struct Rule {
    /// Stable name.
    pub name: &'static str,
    /// Meaning of a match.
    pub meaning: &'static str,
    /// Evidence without which the rule does not fire.
    pub required_evidence: &'static str,
    /// Innocent cause that it shares with other rules.
    pub group: CauseGroup,
    /// Other innocent causes that explain it as well.
    pub other_groups: &'static [CauseGroup],
    /// Way in which a person may trip the rule.
    pub benign_explanation: &'static str,
    /// Weight before the caps; the maximum, if the weight depends on the observation.
    pub weight: Nats,
    /// `true` for a hard rule: it can flag an address without a second cause group.
    pub hard: bool,
    /// `true` for a shadow rule: it is reported but has no weight.
    pub shadow: bool,
    check: RuleEvaluator,
}

/// Evaluates a rule. Returns the observation as text if the rule fires.
#[derive(Debug, Clone, Copy)]
enum RuleEvaluator {
    /// The rule has the same weight whenever it fires.
    FixedWeight(fn(&CheckFacts) -> Option<String>),
    /// The behaviour model determines the weight.
    ModelWeight(fn(&ModelJudgement) -> Option<RuleMatch>),
}

/// Observation of a rule that fired.
#[derive(Debug, Clone)]
pub(crate) struct RuleMatch {
    /// Weight, at least 0.
    pub(crate) weight: Nats,
    /// Observation, as text.
    pub(crate) reason: String,
}

impl Rule {
    /// Returns the observation if the rule fires, with its weight limited to the cap.
    ///
    /// Missing evidence never makes a rule fire.
    pub(crate) fn evaluate(
        &self,
        facts: &CheckFacts,
        behaviour: &ModelJudgement,
    ) -> Option<RuleMatch> {
        let max_weight = self.weight.min(self.cap());
        match self.check {
            RuleEvaluator::FixedWeight(look) => look(facts).map(|reason| RuleMatch {
                weight: max_weight,
                reason,
            }),
            RuleEvaluator::ModelWeight(look) => look(behaviour).map(|model_match| RuleMatch {
                weight: model_match.weight.min(max_weight),
                ..model_match
            }),
        }
    }

    /// Returns the cause groups that explain the rule, its own group first.
    pub fn causes(&self) -> impl DoubleEndedIterator<Item = CauseGroup> {
        std::iter::once(self.group).chain(self.other_groups.iter().copied())
    }

    /// Returns the maximum weight.
    pub const fn cap(&self) -> Nats {
        match self.check {
            _ if self.hard => HARD_CAP,
            RuleEvaluator::FixedWeight(_) => SOFT_CAP,
            RuleEvaluator::ModelWeight(_) => MODEL_CAP,
        }
    }
}
