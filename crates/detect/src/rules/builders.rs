//! Constructors of rows of the rule table.

use super::{CauseGroup, MODEL_CAP, Rule, RuleEvaluator, RuleMatch};
use crate::facts::CheckFacts;
use voight_domain::verdict::Nats;

/// Name, meaning and required evidence of a rule.
pub(super) type RuleText = [&'static str; 3];
/// Evaluator of a rule with a fixed weight.
pub(super) type FixedWeightFn = fn(&CheckFacts) -> Option<String>;
/// Evaluator of a rule whose weight depends on the observation.
pub(super) type WeightFn = fn(&CheckFacts) -> Option<RuleMatch>;

/// Creates a hard rule, which can flag an address alone.
pub(super) const fn hard(words: RuleText, innocent: &'static str, check: FixedWeightFn) -> Rule {
    Rule { hard: true, ..soft(words, CauseGroup::DeclaredAutomation, innocent, 6000, check) }
}

/// Creates a shadow rule.
pub(super) const fn shadow(words: RuleText, group: CauseGroup, innocent: &'static str, check: FixedWeightFn) -> Rule {
    Rule { shadow: true, ..soft(words, group, innocent, 1000, check) }
}

/// Creates a soft rule, which needs a second cause group to flag an address.
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

/// Creates a rule with a measured weight, up to the model's cap.
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
    /// Adds other cause groups that explain the rule.
    pub(super) const fn with_other_groups(self, also: &'static [CauseGroup]) -> Self {
        Self { other_groups: also, ..self }
    }
}
