//! Families of automation, session by session.

use super::CheckGroup;
use super::address_history::alone;
use crate::corpus::RecordedSession;
use crate::evidence::session;
use crate::parallel;
use crate::stats::quantile;
use anyhow::Result;
use serde::{Deserialize, Serialize};
use voight_detect::{DetectionPolicy, RuleAssessor, RuleChange};
use voight_domain::ports::Assessor;
use voight_domain::verdict::Assessment;
use voight_tests::console::bar;

/// Rules specific to one display server, which are switched off to measure the others.
const TIME_AND_FRACTION: [&str; 2] = ["event_time_grid", "fractional_coordinates"];

/// Results of a family's sessions, each judged alone at default minimum confidence.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct FamilyRow {
    /// Tool that drove the browser.
    pub name: String,
    /// Number of judged sessions.
    pub sessions: usize,
    /// Number of flagged sessions.
    pub flagged: usize,
    /// Number of sessions flagged without the rules `event_time_grid` and `fractional_coordinates`.
    pub flagged_without_time_and_fraction: usize,
    /// Number of sessions that the gate rejected: 0, because it was not applied.
    pub refused: usize,
    /// Median of the evidence for a bot, in nats.
    pub median_bot: f64,
}

/// Family with its judgements.
pub(super) struct JudgedFamily {
    pub(super) pool: CheckGroup,
    without: Vec<Assessment>,
}

impl JudgedFamily {
    pub(super) fn row(&self) -> FamilyRow {
        let flagged = |checks: &[Assessment]| checks.iter().filter(|found| alone(found).flagged).count();
        let nats: Vec<f64> = self.pool.checks.iter().map(|found| found.bot.as_f64()).collect();
        FamilyRow {
            name: self.pool.name.clone(),
            sessions: self.pool.checks.len(),
            flagged: flagged(&self.pool.checks),
            flagged_without_time_and_fraction: flagged(&self.without),
            refused: 0,
            median_bot: quantile(&nats, 0.5).unwrap_or(0.0),
        }
    }
}

/// Judges all sessions. Returns the families, and the sessions that could not be judged with the reason.
pub(super) fn judge(sessions: &[RecordedSession], service: &RuleAssessor) -> Result<(Vec<JudgedFamily>, Vec<String>)> {
    let off = |policy: DetectionPolicy, rule: &&str| policy.apply_change(rule, RuleChange::Off);
    let reduced = RuleAssessor::with_policy(TIME_AND_FRACTION.iter().try_fold(DetectionPolicy::built_in(), off)?);
    let both = |recorded: &RecordedSession| -> Result<[Assessment; 2]> {
        let check = session(&recorded.record)?;
        check.bodies().try_for_each(|body| service.summarise_batch(body).map(drop))?;
        Ok([service, &reduced].map(|assessor| assessor.assess(&check.evidence())))
    };
    let judged = parallel::map(sessions, &bar("families", sessions.len(), "sessions"), both);
    let mut families: Vec<JudgedFamily> = Vec::new();
    let mut skipped = Vec::new();
    for (session, judged) in sessions.iter().zip(judged) {
        match judged {
            Ok([found, without]) => family(&mut families, &session.family).add(found, without),
            Err(error) => skipped.push(format!("{}: cannot be made into evidence: {error}", session.name)),
        }
    }
    Ok((families, skipped))
}

/// Returns the last family if it has this name, otherwise adds one: sessions are sorted by family.
fn family<'f>(families: &'f mut Vec<JudgedFamily>, name: &str) -> &'f mut JudgedFamily {
    if families.last().is_none_or(|family| family.pool.name != name) {
        families
            .push(JudgedFamily { pool: CheckGroup { name: name.to_owned(), checks: Vec::new() }, without: Vec::new() });
    }
    let last = families.len() - 1;
    &mut families[last]
}

impl JudgedFamily {
    fn add(&mut self, found: Assessment, without: Assessment) {
        self.pool.checks.push(found);
        self.without.push(without);
    }
}
