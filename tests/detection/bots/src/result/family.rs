//! Counts of the sessions of one family.

use crate::drive::{BotSession, SessionEnd};
use crate::family::{Family, FamilyKind};
use crate::judge::JudgedSession;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

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
    /// Commit of the sources then.
    pub commit: String,
    /// Digest of the evidence-collecting code then; `None` in results before it was recorded.
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
    pub refused: usize,
    /// Sessions that were flagged or rejected.
    pub stopped: usize,
    /// Sessions that the driver or the page broke twice.
    pub broken: usize,
    /// Causes of broken sessions.
    pub faults: BTreeSet<String>,
    /// Number of sessions in which each rule fired against the visitor.
    pub rules: BTreeMap<String, usize>,
    /// Number of rejections by reason.
    pub refusals: BTreeMap<String, usize>,
    /// Sessions in which the behaviour model had enough movements; `None` in results before it was counted.
    #[serde(default)]
    pub modelled: Option<usize>,
    /// Sessions that `BotD` called a bot's; `None` if it judged none.
    pub botd: Option<usize>,
    /// Sessions that isbot, which uses only the agent string, called a bot's; `None` if it judged none.
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
    /// Digest of the code that collects evidence.
    pub collection: &'a str,
    /// Load average over one minute at the end of the run.
    pub load: f64,
}

impl FamilyResult {
    /// Counts the sessions of a family.
    pub fn from_sessions(
        family: &Family,
        RunInfo { date, commit, collection, load }: RunInfo<'_>,
        sessions: &[(BotSession, JudgedSession)],
    ) -> Self {
        let count = |is: &dyn Fn(&JudgedSession) -> bool| sessions.iter().filter(|(_, judged)| is(judged)).count();
        let fault = |judged: &JudgedSession| match &judged.ended {
            SessionEnd::Broken(why) => Some(why.clone()),
            _ => None,
        };
        Self {
            name: family.name.to_owned(),
            kind: family.kind,
            about: family.about.to_owned(),
            date: date.to_owned(),
            commit: commit.to_owned(),
            collection: Some(collection.to_owned()),
            sessions: sessions.len(),
            completed: count(&|judged| judged.ended == SessionEnd::Completed),
            flagged: count(&|judged| judged.flagged),
            flagged_without_time_and_fraction: count(&|judged| judged.flagged_without),
            refused: count(&|judged| judged.ended == SessionEnd::Refused),
            stopped: count(&JudgedSession::is_stopped),
            broken: count(&|judged| matches!(judged.ended, SessionEnd::Broken(_))),
            faults: sessions.iter().filter_map(|(_, judged)| fault(judged)).collect(),
            rules: counted(sessions.iter().flat_map(|(_, judged)| &judged.rules)),
            refusals: counted(sessions.iter().flat_map(|(_, judged)| &judged.refusals)),
            modelled: Some(count(&|judged| judged.modelled)),
            botd: count_detected(sessions, "botd"),
            isbot: count_detected(sessions, "isbot"),
            median_bot: median(sessions.iter().filter_map(|(_, judged)| judged.bot)),
            median_cpu_seconds: median(sessions.iter().filter_map(|(session, _)| session.cpu_seconds)),
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

/// Returns the number of sessions that a public detector called a bot's, if it judged any.
fn count_detected(sessions: &[(BotSession, JudgedSession)], detector: &str) -> Option<usize> {
    let said: Vec<_> = sessions.iter().filter_map(|(session, _)| session.detectors.get(detector)).collect();
    (!said.is_empty()).then(|| said.into_iter().filter(|bot| **bot).count())
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
    use crate::families::all;
    use crate::judge::JudgedSession;
    use std::collections::{BTreeSet, HashMap};

    fn session(ended: &SessionEnd, flagged: bool, botd: Option<bool>) -> (BotSession, JudgedSession) {
        let detectors = botd.map(|bot| ("botd".to_owned(), bot)).into_iter().collect::<HashMap<_, _>>();
        let rules = BTreeSet::from(["webdriver".to_owned()]);
        (
            BotSession { ended: ended.clone(), detectors, cpu_seconds: None },
            JudgedSession {
                ended: ended.clone(),
                flagged,
                flagged_without: flagged,
                bot: Some(6.0),
                rules,
                refusals: BTreeSet::new(),
                modelled: flagged,
            },
        )
    }

    fn result() -> FamilyResult {
        let sessions = [
            session(&SessionEnd::Completed, true, Some(false)),
            session(&SessionEnd::Completed, false, Some(true)),
            session(&SessionEnd::Refused, false, None),
            session(&SessionEnd::Broken("no screen".into()), false, None),
        ];
        FamilyResult::from_sessions(
            all().next().unwrap(),
            RunInfo { date: "2026-11-21", commit: "0123abc", collection: "4567def", load: 0.5 },
            &sessions,
        )
    }

    #[test]
    fn no_session_is_dropped() {
        let found = result();
        assert_eq!((found.sessions, found.completed, found.refused, found.broken), (4, 2, 1, 1));
        assert_eq!((found.flagged, found.stopped, found.botd, found.isbot), (1, 2, Some(1), None));
        assert_eq!((found.rules["webdriver"], found.faults.len(), found.modelled), (4, 1, Some(1)));
    }

    #[test]
    fn the_middle_of_nothing_is_nothing() {
        assert_eq!((median([].into_iter()), median([3.0, 1.0, 2.0].into_iter())), (None, Some(2.0)));
    }
}
