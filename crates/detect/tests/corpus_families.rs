//! Recorded sessions of automation families, converted into evidence and judged whole.
//!
//! The recordings were made with another page: a text field and a button instead of two targets, seven keys typed in
//! between, no probe of native functions that is like ours. They show what signals look like; no person is among them.
//! Input at the level of the system stands in for people here: what it has in common with them must flag nobody.

#[cfg(test)]
#[path = "corpus/convert.rs"]
mod convert;
#[cfg(test)]
#[path = "corpus/session.rs"]
mod session;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use voight_detect::RuleAssessor;
use voight_domain::ports::{Assessor, Judgement};
use voight_domain::registry::Sensitivity;
use voight_domain::verdict::{Assessment, LayerKind, Verdict, observe};

/// Families that automate as their manuals say.
const VANILLA: [&str; 9] = [
    "pup_headless",
    "pup_headed",
    "pup_headed_steps",
    "pw_headless",
    "pw_headed",
    "pw_headed_steps",
    "selenium_headless",
    "selenium_headed",
    "selenium_actions",
];
/// Families whose input comes from the system into a browser that nobody drives: for a model to catch, not for rules.
const LIKE_PEOPLE: [&str; 5] = ["os_bezier", "os_linear", "os_minjerk", "os_pyautogui", "os_xdotool"];

/// What became of a family.
#[derive(Default)]
struct Tally {
    sessions: u32,
    flagged: u32,
    refused: u32,
    /// How often each rule was counted.
    rules: BTreeMap<String, u32>,
}

impl Tally {
    fn add(&mut self, judgement: &Judgement) {
        self.sessions += 1;
        match judgement {
            Judgement::Refused(_) => self.refused += 1,
            Judgement::Assessed(assessment) => {
                self.flagged += u32::from(is_flagged(assessment));
                for finding in assessment.findings.iter().filter(|finding| finding.weight.as_milli() > 0) {
                    *self.rules.entry(finding.rule.clone()).or_default() += 1;
                }
            }
        }
    }

    fn share_caught(&self) -> f64 {
        f64::from(self.flagged + self.refused) / f64::from(self.sessions.max(1))
    }
}

/// Whether this check alone flags an address that nothing is known of.
fn is_flagged(assessment: &Assessment) -> bool {
    let at = voight_domain::Timestamp::from_millis(1_800_000_000_000);
    observe(&Verdict::default(), LayerKind::Claimed, assessment, Sensitivity::default(), at)
        .is_some_and(|observation| observation.layer.flagged)
}

fn archive() -> Option<PathBuf> {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let folder = std::env::var_os("VOIGHT_CORPUS").map_or_else(beside, PathBuf::from);
    Some(folder.join("browser_sessions.tar.xz")).filter(|path| path.is_file())
}

fn tallies(folder: &Path) -> BTreeMap<String, Tally> {
    let mut found = BTreeMap::new();
    for family in session::folders(folder) {
        let tally: &mut Tally = found.entry(session::name(&family)).or_default();
        for session in session::sessions(&family) {
            let check = convert::check(&session);
            tally.add(&RuleAssessor::new().judge(&check.evidence()));
        }
    }
    found
}

#[test]
fn corpus_families() {
    let Some(archive) = archive() else {
        println!("SKIPPED corpus_families: VOIGHT_CORPUS is not set or has no browser_sessions.tar.xz");
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let unpacked = Command::new("tar").arg("-xJf").arg(&archive).arg("-C").arg(folder.path()).status().unwrap();
    assert!(unpacked.success(), "tar could not unpack {}", archive.display());
    let tallies = tallies(folder.path());
    for (family, tally) in &tallies {
        println!(
            "{family:28} n {:3} flagged {:3} refused {:3}  {:?}",
            tally.sessions, tally.flagged, tally.refused, tally.rules
        );
    }
    for family in VANILLA {
        assert!(tallies[family].sessions > 0 && tallies[family].share_caught() >= 0.99, "{family} passes");
    }
    for family in LIKE_PEOPLE {
        assert_eq!(
            (tallies[family].sessions > 0, tallies[family].flagged, tallies[family].refused),
            (true, 0, 0),
            "{family}"
        );
    }
}
