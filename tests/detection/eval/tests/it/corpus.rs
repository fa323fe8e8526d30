//! Corpus test: the recordings, evaluated as by `cargo xtask detect evaluate`.
//!
//! System-level input represents people among the families: properties that it shares with people must not flag an address, so
//! only the model may be evidence against it.

use voight_detect::{DetectionPolicy, RuleAssessor, RuleChange};
use voight_detection_eval::corpus::{Corpus, default_dir};
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
const SYSTEM_INPUT: [&str; 5] = [
    "os_bezier",
    "os_linear",
    "os_minjerk",
    "os_pyautogui",
    "os_xdotool",
];
/// Families of [`LIKE_PEOPLE`] whose curves the model distinguishes from people's.
const CURVES: [&str; 2] = ["os_bezier", "os_minjerk"];
/// One of `STEP` movements is evaluated.
const STEP: usize = 10;

/// Returns the corpus; `None` if the directory does not exist.
fn corpus(test: &str) -> Option<Corpus> {
    let dir = default_dir();
    if !dir.is_dir() {
        skipped(
            test,
            "the recordings are missing; set VOIGHT_CORPUS to their directory",
        );
        return None;
    }
    Some(Corpus::read(&dir).expect("the corpus is complete"))
}

/// Evaluates a part of the corpus.
fn evaluation(mut corpus: Corpus) -> Evaluation {
    for segments in [&mut corpus.people, &mut corpus.tools] {
        let some = segments
            .chunks_exact(2)
            .step_by(STEP)
            .flatten()
            .cloned()
            .collect();
        *segments = some;
    }
    evaluate(corpus, 1)
        .expect("every recording can be evaluated")
        .evaluation
}

fn family<'e>(evaluation: &'e Evaluation, name: &str) -> &'e FamilyRow {
    evaluation
        .families
        .iter()
        .find(|row| row.name == name)
        .expect("the family is in the corpus")
}

#[test]
fn bots_and_people_are_separated() {
    let Some(corpus) = corpus("bots_and_people_are_separated") else {
        return;
    };
    let results = evaluation(corpus);
    for name in VANILLA {
        let row = family(&results, name);
        assert!(
            row.sessions > 0 && row.flagged * 100 >= row.sessions * 99,
            "{row:?}"
        );
    }
    for name in CURVES {
        let tool = results
            .tools
            .iter()
            .find(|tool| tool.name == name)
            .expect("the tool is in the corpus");
        assert!(tool.auc.is_some_and(|auc| auc > 0.95), "{tool:?}");
    }
    assert!(
        results.families.iter().all(|row| row.rejected == 0),
        "the gate is not applied"
    );
    assert!(
        results.people.persons > 0 && results.people.session_flags == 0,
        "{:?}",
        results.people
    );
    assert!(results.skipped.is_empty(), "{:?}", results.skipped);
    let separated_tools = results
        .tools
        .iter()
        .filter(|tool| tool.auc.is_some_and(|auc| auc > 0.9))
        .count();
    assert!(
        separated_tools * 4 >= results.tools.len() * 3,
        "the model separates fewer than three quarters of the tools: {:?}",
        results.tools
    );
    let remote = results
        .abstain
        .iter()
        .find(|row| row.source.starts_with("remote_desktop"))
        .expect("a measured share");
    assert!(
        remote.streams > 0 && remote.abstained * 10 >= remote.streams * 9,
        "{remote:?}"
    );
}

#[test]
fn rules_alone_flag_no_system_input() {
    let Some(corpus) = corpus("rules_alone_flag_no_system_input") else {
        return;
    };
    let rules = DetectionPolicy::built_in()
        .apply_change("behaviour_model", RuleChange::Off)
        .expect("the rule is in the table");
    let assessor = RuleAssessor::with_policy(rules);
    for name in SYSTEM_INPUT {
        let sessions: Vec<_> = corpus
            .sessions
            .iter()
            .filter(|session| session.family == name)
            .collect();
        assert!(!sessions.is_empty(), "{name} is in the corpus");
        for recorded in sessions {
            let check = session(&recorded.record).expect("a session is converted to evidence");
            let assessment = assessor.assess(&check.evidence()).unwrap();
            let observation = observe(
                &Verdict::default(),
                LayerKind::Unverified,
                &assessment,
                MinConfidence::default(),
                AT,
            );
            assert!(
                observation.is_some_and(|observation| !observation.layer.flagged),
                "{}: {:?}",
                recorded.name,
                assessment.findings
            );
        }
    }
}
