//! How often each rule fires on recorded sessions: what the rule table says of itself.

use crate::corpus::Session;
use crate::evidence::session;
use crate::stats::{Cluster, rounded, upper_bound};
use crate::{parallel, progress};
use anyhow::{Context, Result, ensure};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use voight_detect::{POLICY_VERSION, Rates, RuleAssessor, RuleRates, Sample, rules};

/// Families that begin so got their input from the system, into a browser that nobody drove.
const SYNTHETIC: &str = "os_";

/// The file that the rule table reads its rates from.
pub fn path() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../detect/rates.json")
}

/// A family, and the rules that fired in each of its sessions.
type Families<'s> = BTreeMap<&'s str, Vec<BTreeSet<String>>>;

/// The rates of all rules on these sessions. Some must be of automation, and some not.
pub fn measure(sessions: &[Session]) -> Result<Rates> {
    let assessor = RuleAssessor::new();
    let fired = |recorded: &Session| -> Result<BTreeSet<String>> {
        let check = session(&recorded.record).with_context(|| recorded.name.clone())?;
        Ok(assessor.assess(&check.evidence()).findings.into_iter().map(|finding| finding.rule).collect())
    };
    let judged = parallel::map(sessions, &progress::bar("rates", sessions.len(), "sessions"), fired);
    let (mut synthetic, mut automation) = (Families::new(), Families::new());
    for (session, fired) in sessions.iter().zip(judged) {
        let kind = if session.family.starts_with(SYNTHETIC) { &mut synthetic } else { &mut automation };
        kind.entry(&session.family).or_default().push(fired?);
    }
    ensure!(
        !synthetic.is_empty() && !automation.is_empty(),
        "rates need sessions of automation, and sessions whose family begins with {SYNTHETIC}"
    );
    let of = |name: &str| (name.to_owned(), of_rule(name, &automation, &synthetic));
    Ok(Rates {
        policy: POLICY_VERSION,
        automation: sample(&automation),
        synthetic: sample(&synthetic),
        rules: rules().iter().map(|rule| of(rule.name)).collect(),
    })
}

fn sample(families: &Families<'_>) -> Sample {
    Sample { families: families.len(), sessions: families.values().map(Vec::len).sum() }
}

fn of_rule(name: &str, automation: &Families<'_>, synthetic: &Families<'_>) -> RuleRates {
    let clusters = |families: &Families<'_>| -> Vec<Cluster> {
        let hits = |sessions: &[BTreeSet<String>]| sessions.iter().filter(|fired| fired.contains(name)).count();
        families.values().map(|sessions| Cluster { n: sessions.len(), hits: hits(sessions) }).collect()
    };
    let hits = |clusters: &[Cluster]| clusters.iter().map(|cluster| cluster.hits).sum();
    let (driven, quiet) = (clusters(automation), clusters(synthetic));
    RuleRates {
        automation_families: driven.iter().filter(|cluster| cluster.hits > 0).count(),
        automation: hits(&driven),
        synthetic: hits(&quiet),
        synthetic_bound95: upper_bound(&quiet).map_or(1.0, rounded),
    }
}

/// The rates as the file has them.
pub fn text(rates: &Rates) -> Result<String> {
    Ok(serde_json::to_string_pretty(rates)? + "\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn recorded(family: &str, webdriver: bool) -> Session {
        let record = serde_json::json!({"frame": {"events": [], "env": {"wd": {"val": webdriver}}}});
        Session { family: family.to_owned(), name: format!("{family}/0.json"), record }
    }

    #[test]
    fn families_are_told_apart_and_every_rule_has_a_row() {
        let sessions = [recorded("os_a", false), recorded("os_a", false), recorded("driver", true)];
        let rates = measure(&sessions).unwrap();
        assert_eq!((rates.automation.sessions, rates.synthetic.sessions, rates.rules.len()), (1, 2, rules().len()));
        let webdriver = rates.rules["webdriver"];
        assert_eq!((webdriver.automation, webdriver.automation_families, webdriver.synthetic), (1, 1, 0));
        assert!(webdriver.synthetic_bound95 > 0.9, "one family says next to nothing");
    }

    #[test]
    fn without_either_kind_nothing_is_said() {
        let error = measure(&[recorded("os_a", false)]).unwrap_err().to_string();
        assert!(error.contains("sessions of automation"), "{error}");
    }
}
