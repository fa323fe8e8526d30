//! Corpus test: the recordings, judged as by `cargo xtask detect evaluate`.
//!
//! System-level input represents people among the families: what this input has in common with them must not flag an address, so
//! that only the model may be evidence against it.
#![expect(clippy::expect_used, reason = "a test stops at the first thing that is wrong")]

use voight_detect::{DetectionPolicy, RuleAssessor, RuleChange};
use voight_detection_eval::corpus::{Corpus, default_folder};
use voight_detection_eval::evaluate::{Evaluation, FamilyRow, evaluate};
use voight_detection_eval::evidence::session;
use voight_domain::Timestamp;
use voight_domain::registry::MinConfidence;
use voight_domain::verdict::{LayerKind, Verdict, observe};
use voight_tests::skip::skipped;

const AT: Timestamp = Timestamp::from_millis(1_800_000_000_000);

/// Families of automation in its documented use.
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
/// Families whose input comes from the system, in a browser without a driver.
const LIKE_PEOPLE: [&str; 5] = ["os_bezier", "os_linear", "os_minjerk", "os_pyautogui", "os_xdotool"];
/// Families of [`LIKE_PEOPLE`] whose curves the model distinguishes from hands.
const CURVES: [&str; 2] = ["os_bezier", "os_minjerk"];
/// One of this many movements is judged.
const STEP: usize = 10;

/// Returns the corpus; `None` if the directory does not exist.
fn corpus(test: &str) -> Option<Corpus> {
    let folder = default_folder();
    if !folder.is_dir() {
        skipped(test, "the recordings are missing; VOIGHT_CORPUS names their folder");
        return None;
    }
    Some(Corpus::read(&folder).expect("the corpus is whole"))
}

/// Evaluates a part of the corpus.
fn evaluation(mut corpus: Corpus) -> Evaluation {
    for segments in [&mut corpus.people, &mut corpus.tools] {
        let some = segments.chunks_exact(2).step_by(STEP).flatten().cloned().collect();
        *segments = some;
    }
    evaluate(corpus, 1).expect("everything can be judged").evaluation
}

fn family<'e>(evaluation: &'e Evaluation, name: &str) -> &'e FamilyRow {
    evaluation.families.iter().find(|row| row.name == name).expect("the family is in the corpus")
}

#[test]
fn recordings_are_told_apart() {
    let Some(corpus) = corpus("recordings_are_told_apart") else { return };
    let found = evaluation(corpus);
    for name in VANILLA {
        let row = family(&found, name);
        assert!(row.sessions > 0 && row.flagged * 100 >= row.sessions * 99, "{row:?}");
    }
    for name in CURVES {
        let tool = found.tools.iter().find(|tool| tool.name == name).expect("the tool is in the corpus");
        assert!(tool.auc.is_some_and(|auc| auc > 0.95), "{tool:?}");
    }
    assert!(found.families.iter().all(|row| row.refused == 0), "the gate is not applied");
    assert!(found.people.persons > 0 && found.people.session_flags == 0, "{:?}", found.people);
    assert!(found.skipped.is_empty(), "{:?}", found.skipped);
    let known = found.tools.iter().filter(|tool| tool.auc.is_some_and(|auc| auc > 0.9)).count();
    assert!(known * 4 >= found.tools.len() * 3, "the model tells most tools from people: {:?}", found.tools);
    let remote = found.abstain.iter().find(|row| row.source.starts_with("remote_desktop")).expect("it is measured");
    assert!(remote.streams > 0 && remote.abstained * 10 >= remote.streams * 9, "{remote:?}");
}

#[test]
fn rules_alone_flag_no_input_of_the_system() {
    let Some(corpus) = corpus("rules_alone_flag_no_input_of_the_system") else { return };
    let rules =
        DetectionPolicy::built_in().apply_change("behaviour_model", RuleChange::Off).expect("the rule is in the table");
    let assessor = RuleAssessor::with_policy(rules);
    for name in LIKE_PEOPLE {
        let sessions: Vec<_> = corpus.sessions.iter().filter(|session| session.family == name).collect();
        assert!(!sessions.is_empty(), "{name} is in the corpus");
        for recorded in sessions {
            let check = session(&recorded.record).expect("a session becomes evidence");
            let found = assessor.assess(&check.evidence());
            let seen = observe(&Verdict::default(), LayerKind::Unverified, &found, MinConfidence::default(), AT);
            assert!(seen.is_some_and(|seen| !seen.layer.flagged), "{}: {:?}", recorded.name, found.findings);
        }
    }
}
