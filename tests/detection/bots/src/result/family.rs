//! Counts of the sessions of one family.

use crate::drive::{BotSession, SessionEnd};
use crate::evaluated_session::EvaluatedSession;
use crate::family::{Family, FamilyKind};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use voight_tests::results::SourceDigests;

/// Counts of the sessions of one family.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FamilyResult {
    /// Name of the family.
    pub name: String,
    /// Kind of the family.
    pub kind: FamilyKind,
    /// Description of the family.
    pub about: String,
    /// Date of its last run, UTC.
    pub date: String,
    /// Commit of the sources of the last run.
    pub commit: String,
    /// Digests of the sources of the last run; empty in old results.
    #[serde(default)]
    pub sources: SourceDigests,
    /// Digest of the evidence-collecting code of the last run; `None` in old results.
    #[serde(default)]
    pub collection: Option<String>,
    /// Number of sessions.
    pub sessions: usize,
    /// Sessions that ended with a receipt.
    pub completed: usize,
    /// Sessions after which the platform's lookup returned a bot.
    pub flagged: usize,
    /// Sessions that are flagged without the rules on event times and fractions of pixels.
    pub flagged_without_time_and_fraction: usize,
    /// Sessions whose evidence the service rejected.
    pub rejected: usize,
    /// Sessions that were flagged or rejected.
    pub stopped: usize,
    /// Sessions that the driver or the page broke twice.
    pub broken: usize,
    /// Causes of broken sessions.
    pub faults: BTreeSet<String>,
    /// Number of sessions in which each rule fired against the visitor.
    pub rules: BTreeMap<String, usize>,
    /// Number of rejections by reason.
    pub rejections: BTreeMap<String, usize>,
    /// Sessions in which the behaviour model had enough movements; `None` in old results.
    #[serde(default)]
    pub modelled: Option<usize>,
    /// Sessions that `BotD` classified as a bot's; `None` if it evaluated none.
    pub botd: Option<usize>,
    /// Sessions that isbot, which uses only the agent string, classified as a bot's; `None` if it evaluated none.
    pub isbot: Option<usize>,
    /// Median of the evidence for a bot, in nats.
    pub median_bot: Option<f64>,
    /// Median processor time of the driver, if it reports it.
    pub median_cpu_seconds: Option<f64>,
    /// Load average over one minute at the end of the run.
    pub load: f64,
}

/// Origin of a run.
#[derive(Debug, Clone, Copy)]
pub struct RunInfo<'a> {
    /// Date, UTC.
    pub date: &'a str,
    /// Commit of the sources.
    pub commit: &'a str,
    /// Digests of the sources.
    pub sources: &'a SourceDigests,
    /// Digest of the code that collects evidence.
    pub collection: &'a str,
    /// Load average over one minute at the end of the run.
    pub load: f64,
}

impl FamilyResult {
    /// Counts the sessions of a family.
    pub fn from_sessions(
        family: &Family,
        RunInfo {
            date,
            commit,
            sources,
            collection,
            load,
        }: RunInfo<'_>,
        sessions: &[(BotSession, EvaluatedSession)],
    ) -> Self {
        let count = |is: &dyn Fn(&EvaluatedSession) -> bool| {
            sessions
                .iter()
                .filter(|(_, evaluated)| is(evaluated))
                .count()
        };
        let fault = |evaluated: &EvaluatedSession| match &evaluated.ended {
            SessionEnd::Broken(reason) => Some(reason.clone()),
            _ => None,
        };
        Self {
            name: family.name.to_owned(),
            kind: family.kind,
            about: family.about.to_owned(),
            date: date.to_owned(),
            commit: commit.to_owned(),
            sources: sources.clone(),
            collection: Some(collection.to_owned()),
            sessions: sessions.len(),
            completed: count(&|session| session.ended == SessionEnd::Completed),
            flagged: count(&|session| session.flagged),
            flagged_without_time_and_fraction: count(&|session| session.flagged_without),
            rejected: count(&|session| session.ended == SessionEnd::Rejected),
            stopped: count(&EvaluatedSession::is_stopped),
            broken: count(&|session| matches!(session.ended, SessionEnd::Broken(_))),
            faults: sessions
                .iter()
                .filter_map(|(_, evaluated)| fault(evaluated))
                .collect(),
            rules: counted(sessions.iter().flat_map(|(_, evaluated)| &evaluated.rules)),
            rejections: counted(
                sessions
                    .iter()
                    .flat_map(|(_, evaluated)| &evaluated.rejections),
            ),
            modelled: Some(count(&|session| session.modelled)),
            botd: count_detected(sessions, "botd"),
            isbot: count_detected(sessions, "isbot"),
            median_bot: median(sessions.iter().filter_map(|(_, evaluated)| evaluated.bot)),
            median_cpu_seconds: median(
                sessions
                    .iter()
                    .filter_map(|(session, _)| session.cpu_seconds),
            ),
            load,
        }
    }
}

fn counted<'a>(names: impl Iterator<Item = &'a String>) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for name in names {
        *counts.entry(name.clone()).or_default() += 1;
    }
    counts
}

/// Returns the number of sessions that a public detector classified as a bot's, if it evaluated any.
fn count_detected(sessions: &[(BotSession, EvaluatedSession)], detector: &str) -> Option<usize> {
    let findings: Vec<_> = sessions
        .iter()
        .filter_map(|(session, _)| session.detectors.get(detector))
        .collect();
    (!findings.is_empty()).then(|| findings.into_iter().filter(|bot| **bot).count())
}

fn median(values: impl Iterator<Item = f64>) -> Option<f64> {
    let mut values: Vec<_> = values.collect();
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied()
}

#[cfg(test)]
mod tests {
    use super::{FamilyResult, RunInfo, median};
    use crate::drive::{BotSession, SessionEnd};
    use crate::evaluated_session::EvaluatedSession;
    use crate::families::all;
    use std::collections::{BTreeSet, HashMap};
    use voight_tests::results::SourceDigests;

    fn session(
        ended: &SessionEnd,
        flagged: bool,
        botd: Option<bool>,
    ) -> (BotSession, EvaluatedSession) {
        let detectors = botd
            .map(|bot| ("botd".to_owned(), bot))
            .into_iter()
            .collect::<HashMap<_, _>>();
        let rules = BTreeSet::from(["webdriver".to_owned()]);
        (
            BotSession {
                ended: ended.clone(),
                detectors,
                cpu_seconds: None,
            },
            EvaluatedSession {
                ended: ended.clone(),
                flagged,
                flagged_without: flagged,
                bot: Some(6.0),
                rules,
                rejections: BTreeSet::new(),
                modelled: flagged,
            },
        )
    }

    fn result() -> FamilyResult {
        let sessions = [
            session(&SessionEnd::Completed, true, Some(false)),
            session(&SessionEnd::Completed, false, Some(true)),
            session(&SessionEnd::Rejected, false, None),
            session(&SessionEnd::Broken("no screen".into()), false, None),
        ];
        FamilyResult::from_sessions(
            all().next().unwrap(),
            RunInfo {
                date: "2026-11-21",
                commit: "0123abc",
                sources: &SourceDigests::new(),
                collection: "4567def",
                load: 0.5,
            },
            &sessions,
        )
    }

    #[test]
    fn every_session_is_counted() {
        let result = result();
        assert_eq!(
            (
                result.sessions,
                result.completed,
                result.rejected,
                result.broken
            ),
            (4, 2, 1, 1)
        );
        assert_eq!(
            (result.flagged, result.stopped, result.botd, result.isbot),
            (1, 2, Some(1), None)
        );
        assert_eq!(
            (
                result.rules["webdriver"],
                result.faults.len(),
                result.modelled
            ),
            (4, 1, Some(1))
        );
    }

    #[test]
    fn the_median_of_no_values_is_none() {
        assert_eq!(
            (median([].into_iter()), median([3.0, 1.0, 2.0].into_iter())),
            (None, Some(2.0))
        );
    }
}
