//! Constructors of rows of the rule table.

use super::{CauseGroup, MODEL_CAP, Rule, RuleEvaluator, RuleMatch};
use crate::facts::CheckFacts;
use crate::model::ModelJudgement;
use voight_domain::verdict::Nats;

/// Name, meaning and required evidence of a rule.
pub(super) type RuleText = [&'static str; 3];
/// Evaluator of a rule with a fixed weight.
pub(super) type FixedWeightFn = fn(&CheckFacts) -> Option<String>;
/// Evaluator of the rule of the behaviour model.
pub(super) type ModelWeightFn = fn(&ModelJudgement) -> Option<RuleMatch>;

/// Creates a hard rule, which can flag an address alone.
pub(super) const fn hard(words: RuleText, innocent: &'static str, check: FixedWeightFn) -> Rule {
    Rule {
        hard: true,
        ..soft(words, CauseGroup::DeclaredAutomation, innocent, 6000, check)
    }
}

/// Creates a shadow rule.
pub(super) const fn shadow(
    words: RuleText,
    group: CauseGroup,
    innocent: &'static str,
    check: FixedWeightFn,
) -> Rule {
    Rule {
        shadow: true,
        ..soft(words, group, innocent, 1000, check)
    }
}

/// Creates a soft rule, which needs a second cause group to flag an address.
pub(super) const fn soft(
    words: RuleText,
    group: CauseGroup,
    innocent: &'static str,
    milli: i32,
    check: FixedWeightFn,
) -> Rule {
    rule(
        words,
        group,
        innocent,
        Nats::from_milli(milli),
        RuleEvaluator::FixedWeight(check),
    )
}

/// Creates the rule of the behaviour model, with a weight up to the model's cap.
pub(super) const fn model_weight(
    words: RuleText,
    group: CauseGroup,
    innocent: &'static str,
    check: ModelWeightFn,
) -> Rule {
    rule(
        words,
        group,
        innocent,
        MODEL_CAP,
        RuleEvaluator::ModelWeight(check),
    )
}

const fn rule(
    [name, meaning, required_evidence]: RuleText,
    group: CauseGroup,
    benign_explanation: &'static str,
    weight: Nats,
    check: RuleEvaluator,
) -> Rule {
    Rule {
        name,
        meaning,
        required_evidence,
        group,
        other_groups: &[],
        benign_explanation,
        weight,
        hard: false,
        shadow: false,
        check,
    }
}

impl Rule {
    /// Adds other cause groups that explain the rule.
    pub(super) const fn with_other_groups(self, also: &'static [CauseGroup]) -> Self {
        Self {
            other_groups: also,
            ..self
        }
    }
}
