//! Families of automation, session by session.

use super::CheckGroup;
use super::address_history::layer_after_one_check;
use crate::corpus::RecordedSession;
use crate::evidence::session;
use crate::parallel;
use crate::stats::quantile;
use anyhow::Result;
use serde::{Deserialize, Serialize};
use voight_detect::{DetectionPolicy, RuleAssessor, RuleChange};
use voight_domain::verdict::Assessment;
use voight_tests::console::bar;

/// Rules specific to one display server, which are switched off to measure the others.
const TIME_AND_FRACTION: [&str; 2] = ["event_time_grid", "fractional_coordinates"];

/// Results of a family's sessions, each evaluated separately at default minimum confidence.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct FamilyRow {
    /// Tool that drove the browser.
    pub name: String,
    /// Number of evaluated sessions.
    pub sessions: usize,
    /// Number of flagged sessions.
    pub flagged: usize,
    /// Number of sessions flagged without the rules `event_time_grid` and `fractional_coordinates`.
    pub flagged_without_time_and_fraction: usize,
    /// Number of sessions that the gate rejected: 0, because it was not applied.
    pub rejected: usize,
    /// Median of the evidence for a bot, in nats.
    pub median_bot: f64,
}

/// Family with its assessments.
pub(super) struct EvaluatedFamily {
    pub(super) group: CheckGroup,
    without: Vec<Assessment>,
}

impl EvaluatedFamily {
    pub(super) fn row(&self) -> FamilyRow {
        let count_flagged = |checks: &[Assessment]| {
            checks
                .iter()
                .filter(|assessment| layer_after_one_check(assessment).flagged)
                .count()
        };
        let nats: Vec<f64> = self
            .group
            .checks
            .iter()
            .map(|assessment| assessment.bot.as_f64())
            .collect();
        FamilyRow {
            name: self.group.name.clone(),
            sessions: self.group.checks.len(),
            flagged: count_flagged(&self.group.checks),
            flagged_without_time_and_fraction: count_flagged(&self.without),
            rejected: 0,
            median_bot: quantile(&nats, 0.5).unwrap_or(0.0),
        }
    }
}

/// Evaluates all sessions. Returns the families, and the sessions that could not be evaluated with the reason.
pub(super) fn evaluate_check(
    sessions: &[RecordedSession],
    service: &RuleAssessor,
) -> Result<(Vec<EvaluatedFamily>, Vec<String>)> {
    let off = |policy: DetectionPolicy, rule: &&str| policy.apply_change(rule, RuleChange::Off);
    let reduced_service = RuleAssessor::with_policy(
        TIME_AND_FRACTION
            .iter()
            .try_fold(DetectionPolicy::built_in(), off)?,
    );
    let assess_both = |recorded: &RecordedSession| -> Result<[Assessment; 2]> {
        let check = session(&recorded.record)?;
        Ok([
            service.assess(&check.evidence())?,
            reduced_service.assess(&check.evidence())?,
        ])
    };
    let outcomes = parallel::map(
        sessions,
        &bar("families", sessions.len(), "sessions"),
        assess_both,
    );
    let mut families: Vec<EvaluatedFamily> = Vec::new();
    let mut skip_lines = Vec::new();
    for (session, outcomes) in sessions.iter().zip(outcomes) {
        match outcomes {
            Ok([assessment, without]) => {
                family(&mut families, &session.family).add(assessment, without);
            }
            Err(error) => skip_lines.push(format!(
                "{}: cannot be converted to evidence: {error}",
                session.name
            )),
        }
    }
    Ok((families, skip_lines))
}

/// Returns the last family if it has this name, otherwise adds one: sessions are sorted by family.
fn family<'f>(families: &'f mut Vec<EvaluatedFamily>, name: &str) -> &'f mut EvaluatedFamily {
    if families
        .last()
        .is_none_or(|family| family.group.name != name)
    {
        families.push(EvaluatedFamily {
            group: CheckGroup {
                name: name.to_owned(),
                checks: Vec::new(),
            },
            without: Vec::new(),
        });
    }
    let last = families.len() - 1;
    &mut families[last]
}

impl EvaluatedFamily {
    fn add(&mut self, assessment: Assessment, without: Assessment) {
        self.group.checks.push(assessment);
        self.without.push(without);
    }
}
