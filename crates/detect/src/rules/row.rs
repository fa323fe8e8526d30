//! How a row of the table is written.

use super::{CauseGroup, MODEL_CAP, Rule, RuleEvaluator, RuleMatch};
use crate::facts::CheckFacts;
use voight_domain::verdict::Nats;

/// What a rule is called, what it says, what it needs.
pub(super) type RuleText = [&'static str; 3];
/// What looks.
pub(super) type FixedWeightFn = fn(&CheckFacts) -> Option<String>;
/// How a rule looks at a check that weighs what it saw.
pub(super) type WeightFn = fn(&CheckFacts) -> Option<RuleMatch>;

/// A rule of the closed list that convicts alone.
pub(super) const fn hard(words: RuleText, innocent: &'static str, check: FixedWeightFn) -> Rule {
    Rule { hard: true, ..soft(words, CauseGroup::DeclaredAutomation, innocent, 6000, check) }
}

/// A rule in shadow.
pub(super) const fn shadow(words: RuleText, group: CauseGroup, innocent: &'static str, check: FixedWeightFn) -> Rule {
    Rule { shadow: true, ..soft(words, group, innocent, 1000, check) }
}

/// A rule that needs another cause beside it.
pub(super) const fn soft(
    words: RuleText,
    group: CauseGroup,
    innocent: &'static str,
    milli: i32,
    check: FixedWeightFn,
) -> Rule {
    let [name, meaning, needs] = words;
    let weight = Nats::from_milli(milli);
    Rule {
        name,
        meaning,
        required_evidence: needs,
        group,
        other_groups: &[],
        benign_explanation: innocent,
        weight,
        hard: false,
        shadow: false,
        check: RuleEvaluator::FixedWeight(check),
    }
}

/// A rule that may weigh up to the model's cap.
pub(super) const fn measured_weight(
    words: RuleText,
    group: CauseGroup,
    innocent: &'static str,
    check: WeightFn,
) -> Rule {
    let [name, meaning, needs] = words;
    let (weight, check) = (MODEL_CAP, RuleEvaluator::MeasuredWeight(check));
    Rule {
        name,
        meaning,
        required_evidence: needs,
        group,
        other_groups: &[],
        benign_explanation: innocent,
        weight,
        hard: false,
        shadow: false,
        check,
    }
}

impl Rule {
    /// The rule, explained by other causes as well.
    pub(super) const fn with_other_groups(self, also: &'static [CauseGroup]) -> Self {
        Self { other_groups: also, ..self }
    }
}
