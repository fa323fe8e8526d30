//! Combines findings into an assessment.

use crate::facts::CheckFacts;
use crate::fingerprint::link_signals;
use crate::human_signals::{HUMAN_CAP, HumanSignal, human_signals};
use crate::model::{Abstention, Model, ModelJudgement, Stroke};
use crate::movement::{Movement, movements};
use crate::policy::DetectionPolicy;
use crate::rules::{CauseGroup, Rule, RuleMatch, assign_causes};
use voight_domain::verdict::{Assessment, Finding, Nats, Versions};

/// A rule that fired.
struct FiredRule<'p> {
    rule: &'p Rule,
    /// Cause group to which the match is assigned.
    cause: CauseGroup,
    matched: RuleMatch,
}

/// Assesses a check with the behaviour model and the rules of a policy.
pub(crate) fn assess(facts: &CheckFacts, model: &Model, policy: &DetectionPolicy) -> Assessment {
    let movements = movements(facts);
    let behaviour = judge_movements(facts, &movements, model);
    let fired_rules = fire(facts, &behaviour, policy);
    let is_counted: Vec<bool> = (0..fired_rules.len())
        .map(|at| is_largest(&fired_rules, at))
        .collect();
    let groups: Vec<(CauseGroup, Nats)> = fired_rules
        .iter()
        .zip(&is_counted)
        .filter(|(_, is_counted)| **is_counted)
        .map(|(fired_rules, _)| (fired_rules.cause, fired_rules.matched.weight))
        .collect();
    let signs = human_signals(facts, &behaviour);
    Assessment {
        bot: groups.iter().map(|(_, weight)| *weight).sum(),
        human: signs
            .iter()
            .map(|sign| sign.weight)
            .sum::<Nats>()
            .min(HUMAN_CAP),
        hard: fired_rules
            .iter()
            .any(|fired_rule| fired_rule.rule.hard && !fired_rule.rule.shadow),
        groups: u8::try_from(groups.iter().filter(|(group, _)| group.convicts()).count())
            .unwrap_or(u8::MAX),
        conclusive: facts.is_covered(),
        findings: findings(fired_rules, &is_counted, signs),
        versions: Versions {
            policy: policy.version(),
            model: behaviour.version(),
        },
        link_signals: link_signals(facts, &movements),
    }
}

/// Judges the movements to the presses with the model. Untrusted presses come from scripts, so the model abstains.
fn judge_movements(facts: &CheckFacts, movements: &[Movement], model: &Model) -> ModelJudgement {
    if facts
        .presses()
        .filter_map(|press| press.down)
        .all(|down| down.trusted)
    {
        model.judge(movements, &mut Stroke::default())
    } else {
        ModelJudgement::Abstains(Abstention::Pointer)
    }
}

/// Returns the rules that fire, each with its assigned cause group.
fn fire<'p>(
    facts: &CheckFacts,
    behaviour: &ModelJudgement,
    policy: &'p DetectionPolicy,
) -> Vec<FiredRule<'p>> {
    let look = |rule: &'p Rule| Some((rule, rule.evaluate(facts, behaviour)?));
    let (fired, seen): (Vec<&Rule>, Vec<RuleMatch>) =
        policy.rules().iter().filter_map(look).unzip();
    let causes = assign_causes(&fired);
    fired
        .into_iter()
        .zip(causes)
        .zip(seen)
        .map(|((rule, cause), seen)| FiredRule {
            rule,
            cause,
            matched: seen,
        })
        .collect()
}

/// Returns `true` if the rule at `at` has the largest weight of its cause group; the first wins a tie.
///
/// A shadow rule never has.
fn is_largest(fired: &[FiredRule<'_>], at: usize) -> bool {
    let FiredRule {
        rule: this,
        cause,
        matched: seen,
    } = &fired[at];
    let beats = |(place, other): (usize, &FiredRule<'_>)| {
        let mine = seen.weight;
        let other_s = other.matched.weight;
        other.cause == *cause
            && !other.rule.shadow
            && (other_s > mine || (other_s == mine && place < at))
    };
    !this.shadow && !fired.iter().enumerate().any(beats)
}

fn findings(fired: Vec<FiredRule<'_>>, counted: &[bool], signs: Vec<HumanSignal>) -> Vec<Finding> {
    let of_rule = |(
        FiredRule {
            rule,
            cause,
            matched: seen,
        },
        counted,
    ): (FiredRule<'_>, &bool)| Finding {
        rule: rule.name.to_owned(),
        group: cause.as_str().to_owned(),
        weight: seen.weight,
        hard: rule.hard,
        counted: *counted,
        reason: seen.reason,
    };
    let of_sign = |sign: HumanSignal| Finding {
        rule: sign.name.to_owned(),
        group: sign.group.as_str().to_owned(),
        weight: -sign.weight,
        hard: false,
        counted: true,
        reason: sign.reason,
    };
    fired
        .into_iter()
        .zip(counted)
        .map(of_rule)
        .chain(signs.into_iter().map(of_sign))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::rules;
    use crate::testing::CheckBuilder;
    use serde_json::json;

    fn numbers(found: &Assessment) -> (i32, u8, bool, bool) {
        (
            found.bot.as_milli(),
            found.groups,
            found.hard,
            found.conclusive,
        )
    }

    #[test]
    fn people_are_covered_without_findings() {
        for draft in [CheckBuilder::person(), CheckBuilder::keyboard()] {
            let assessment = draft.assess();
            assert_eq!(numbers(&assessment), (0, 0, false, true));
            assert!(
                assessment
                    .findings
                    .iter()
                    .all(|finding| finding.weight.as_milli() < 0),
                "{:?}",
                assessment.findings
            );
        }
    }

    #[test]
    fn shadow_rule_displaces_no_rule() {
        let weighing = |milli: i32, shadow: bool| {
            let rule = Box::leak(Box::new(rules()[4]));
            (rule.weight, rule.shadow) = (Nats::from_milli(milli), shadow);
            FiredRule {
                rule,
                cause: rule.group,
                matched: RuleMatch {
                    weight: rule.weight,
                    reason: String::new(),
                },
            }
        };
        let fired_rules = [
            weighing(2000, true),
            weighing(500, false),
            weighing(900, false),
            weighing(900, false),
        ];
        assert_eq!(
            [0, 1, 2, 3].map(|at| is_largest(&fired_rules, at)),
            [false, false, true, false]
        );
    }

    #[test]
    fn hard_rules_together_weigh_six() {
        let mut draft = CheckBuilder::person();
        draft.first["env"]["webdriver"]["value"] = true.into();
        draft.second["env"]["atSubmit"]["globals"] = json!(["ret_nodes"]);
        let assessment = draft.assess();
        assert_eq!(numbers(&assessment), (6000, 1, true, true));
        let counted_findings: Vec<_> = assessment
            .findings
            .iter()
            .filter(|f| f.hard)
            .map(|f| f.counted)
            .collect();
        assert_eq!(counted_findings, [true, false]);
    }

    #[test]
    fn only_weights_of_groups_add_up() {
        let mut draft = CheckBuilder::person();
        draft.first["env"]["atLoad"]["debugger"]["prepare"] = 1.into();
        draft.first["env"]["atLoad"]["stacks"] = json!(["querySelector: <anonymous>"]);
        assert_eq!(numbers(&draft.assess()), (2000, 1, false, true));
        draft.all_rows(|_, row| row[9] = 0);
        assert_eq!(numbers(&draft.assess()), (4000, 2, false, true));
    }

    #[test]
    fn cover_needs_submit_probe_and_press() {
        let mut draft = CheckBuilder::person();
        draft.second["env"] = json!({});
        assert!(!draft.assess().conclusive);
        let mut draft = CheckBuilder::keyboard();
        draft.first["pointer"] = json!([]);
        assert!(!draft.assess().conclusive);
    }
}
