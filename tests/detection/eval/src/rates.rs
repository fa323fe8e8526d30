//! Rates at which each rule fires on recorded sessions, for the rule table.

use crate::corpus::RecordedSession;
use crate::evidence::session;
use crate::parallel;
use crate::stats::{SampleCluster, rounded, upper_bound};
use anyhow::{Context, Result, ensure};
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use voight_detect::{
    POLICY_VERSION, RuleAssessor, RuleRateTable, RuleRates, SampleSize, Sources, rules,
};
use voight_tests::console::bar;

/// Prefix of recorded families with system-level input into a browser without a driver.
pub(crate) const SYNTHETIC: &str = "os_";
/// Kinds of bot corpus families with system-level input into a browser without a driver.
const SYNTHETIC_KINDS: [&str; 2] = ["population", "os_input"];

/// Returns the path of the file from which the rule table reads its rates.
pub fn path() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../crates/detect/rates.json")
}

/// Returns the path of the published bot corpus result.
fn bot_corpus_path() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../docs/results/detection/bot-corpus.json")
}

/// Reads the published bot corpus result, if it exists.
pub fn bot_corpus() -> Result<Option<Vec<u8>>> {
    let path = bot_corpus_path();
    let read_file =
        || std::fs::read(&path).with_context(|| format!("{} cannot be read", path.display()));
    path.exists().then(read_file).transpose()
}

/// Evaluated sessions of one family.
#[derive(Debug, Default)]
struct Family {
    synthetic: bool,
    sessions: usize,
    /// Number of sessions with a hit of each rule.
    rule_hits: BTreeMap<String, usize>,
}

/// Members of a bot corpus result that are used for rates.
#[derive(Debug, Deserialize)]
struct BotCorpus {
    families: Vec<BotFamily>,
}

#[derive(Debug, Deserialize)]
struct BotFamily {
    kind: String,
    completed: usize,
    rules: BTreeMap<String, usize>,
    #[serde(flatten)]
    sources: Sources,
}

/// Measures the rates of all rules on recorded sessions and on bot corpus sessions through the window.
///
/// # Errors
///
/// The sessions do not include both automation and synthetic input.
pub fn measure(sessions: &[RecordedSession], bot_corpus: Option<&[u8]>) -> Result<RuleRateTable> {
    let mut families = recorded(sessions)?;
    let bot_corpus = bot_corpus
        .map(parse_bot_corpus)
        .transpose()?
        .unwrap_or_default();
    let window: BTreeSet<Sources> = bot_corpus
        .iter()
        .map(|family| family.sources.clone())
        .collect();
    families.extend(bot_corpus.into_iter().map(bot_corpus_family));
    let (synthetic, automation): (Vec<Family>, Vec<Family>) = families
        .into_iter()
        .filter(|family| family.sessions > 0)
        .partition(|family| family.synthetic);
    ensure!(
        !synthetic.is_empty() && !automation.is_empty(),
        "rates require sessions of automation, and sessions of families that begin with {SYNTHETIC}"
    );
    let entry = |name: &str| (name.to_owned(), rule_rates(name, &automation, &synthetic));
    Ok(RuleRateTable {
        policy: POLICY_VERSION,
        automation: sample_size(&automation),
        synthetic: sample_size(&synthetic),
        window: window.into_iter().collect(),
        rules: rules().iter().map(|rule| entry(rule.name)).collect(),
    })
}

/// Evaluates the recorded sessions by family.
fn recorded(sessions: &[RecordedSession]) -> Result<Vec<Family>> {
    let assessor = RuleAssessor::new();
    let rule_hits = |recorded: &RecordedSession| -> Result<BTreeSet<String>> {
        let check = session(&recorded.record).with_context(|| recorded.name.clone())?;
        Ok(assessor
            .assess(&check.evidence())?
            .findings
            .into_iter()
            .map(|finding| finding.rule)
            .collect())
    };
    let outcomes = parallel::map(
        sessions,
        &bar("rates", sessions.len(), "sessions"),
        rule_hits,
    );
    let mut families = BTreeMap::<&str, Family>::new();
    for (session, rule_hits) in sessions.iter().zip(outcomes) {
        let family = families.entry(&session.family).or_default();
        family.synthetic = session.family.starts_with(SYNTHETIC);
        family.sessions += 1;
        rule_hits?
            .into_iter()
            .for_each(|rule| *family.rule_hits.entry(rule).or_default() += 1);
    }
    Ok(families.into_values().collect())
}

/// Reads the families of a bot corpus result.
fn parse_bot_corpus(bot_corpus: &[u8]) -> Result<Vec<BotFamily>> {
    let bot_corpus: BotCorpus = serde_json::from_slice(bot_corpus)
        .context("the result of the bot corpus cannot be read")?;
    Ok(bot_corpus.families)
}

/// Converts a bot corpus family; only its completed sessions count.
fn bot_corpus_family(
    BotFamily {
        kind,
        completed,
        rules,
        ..
    }: BotFamily,
) -> Family {
    Family {
        synthetic: SYNTHETIC_KINDS.contains(&kind.as_str()),
        sessions: completed,
        rule_hits: rules,
    }
}

/// Returns the commits of window results that were measured with collection code of another digest.
pub fn outdated(window: &[Sources], collection: &str) -> Vec<String> {
    let is_other = |sources: &&Sources| sources.collection.as_deref() != Some(collection);
    window
        .iter()
        .filter(is_other)
        .map(|sources| sources.commit.clone())
        .collect()
}

/// Counts families and sessions.
fn sample_size(families: &[Family]) -> SampleSize {
    SampleSize {
        families: families.len(),
        sessions: families.iter().map(|family| family.sessions).sum(),
    }
}

/// Counts the hits of a rule in both samples.
fn rule_rates(name: &str, automation: &[Family], synthetic: &[Family]) -> RuleRates {
    let clusters = |families: &[Family]| -> Vec<SampleCluster> {
        let hits = |family: &Family| {
            family
                .rule_hits
                .get(name)
                .copied()
                .unwrap_or(0)
                .min(family.sessions)
        };
        families
            .iter()
            .map(|family| SampleCluster {
                n: family.sessions,
                hits: hits(family),
            })
            .collect()
    };
    let hits = |clusters: &[SampleCluster]| clusters.iter().map(|cluster| cluster.hits).sum();
    let automation = clusters(automation);
    let synthetic = clusters(synthetic);
    RuleRates {
        automation_families: automation.iter().filter(|cluster| cluster.hits > 0).count(),
        automation: hits(&automation),
        synthetic: hits(&synthetic),
        synthetic_bound95: upper_bound(&synthetic).map_or(1.0, rounded),
    }
}

/// Formats the rates as the content of `rates.json`.
pub fn text(rates: &RuleRateTable) -> Result<String> {
    Ok(serde_json::to_string_pretty(rates)? + "\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn session_of(family: &str, webdriver: bool) -> RecordedSession {
        let record =
            serde_json::json!({"frame": {"events": [], "env": {"wd": {"val": webdriver}}}});
        RecordedSession {
            family: family.to_owned(),
            name: format!("{family}/0.json"),
            record,
        }
    }

    #[test]
    fn families_are_classified() {
        let sessions = [
            session_of("os_a", false),
            session_of("os_a", false),
            session_of("driver", true),
        ];
        let rates = measure(&sessions, None).unwrap();
        assert_eq!(
            (
                rates.automation.sessions,
                rates.synthetic.sessions,
                rates.rules.len()
            ),
            (1, 2, rules().len())
        );
        let webdriver = rates.rules["webdriver"];
        assert_eq!(
            (
                webdriver.automation,
                webdriver.automation_families,
                webdriver.synthetic
            ),
            (1, 1, 0)
        );
        assert!(
            webdriver.synthetic_bound95 > 0.9,
            "the bound of one family is near 1"
        );
    }

    #[test]
    fn evaluated_bot_sessions_are_counted() {
        let bot_corpus = br#"{"families": [
            {"name": "a", "kind": "population", "commit": "1", "collection": "d1", "sessions": 10, "completed": 10, "rules": {"teleport": 4}},
            {"name": "b", "kind": "automation", "commit": "2", "collection": "d2", "sessions": 10, "completed": 8, "rules": {"webdriver": 8}},
            {"name": "c", "kind": "replay", "commit": "1", "sessions": 10, "completed": 0, "rules": {}}]}"#;
        let rates = measure(&[session_of("os_a", false)], Some(bot_corpus)).unwrap();
        let samples =
            [rates.automation, rates.synthetic].map(|sample| (sample.families, sample.sessions));
        assert_eq!(samples, [(1, 8), (2, 11)]);
        assert_eq!(
            (
                rates.rules["teleport"].synthetic,
                rates.rules["webdriver"].automation
            ),
            (4, 8)
        );
        assert_eq!(rates.window.len(), 3);
        assert_eq!(
            outdated(&rates.window, "d1"),
            ["1", "2"],
            "one without and one with another digest"
        );
        assert!(
            measure(&[], Some(b"[]"))
                .unwrap_err()
                .to_string()
                .contains("bot corpus")
        );
    }

    #[test]
    fn rates_need_synthetic_sessions() {
        let error = measure(&[session_of("os_a", false)], None)
            .unwrap_err()
            .to_string();
        assert!(error.contains("sessions of automation"), "{error}");
    }
}
