//! The corpus of recordings, judged as `cargo xtask detect evaluate` judges it.
//!
//! Input at the level of the system stands in for people among the families: what it has in common with them must flag
//! nobody.
#![expect(clippy::expect_used, reason = "a test stops at the first thing that is wrong")]

use voight_lab::corpus::{Corpus, default_folder};
use voight_lab::evaluate::{Evaluation, FamilyRow, evaluate};
use voight_tests::skip::skipped;

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
/// Families whose input comes from the system into a browser that nobody drives: the model tells their curves from hands.
const CURVES: [&str; 2] = ["os_bezier", "os_minjerk"];
/// One of so many movements is judged.
const STEP: usize = 10;

/// What is measured of a part of the corpus; `None` where there is no corpus.
fn evaluation(test: &str) -> Option<Evaluation> {
    let folder = default_folder();
    if !folder.is_dir() {
        skipped(test, "the recordings are missing; VOIGHT_CORPUS names their folder");
        return None;
    }
    let mut corpus = Corpus::read(&folder).expect("the corpus is whole");
    for segments in [&mut corpus.people, &mut corpus.tools] {
        let some = segments.chunks_exact(2).step_by(STEP).flatten().cloned().collect();
        *segments = some;
    }
    Some(evaluate(corpus, 1).expect("everything can be judged").evaluation)
}

fn family<'e>(evaluation: &'e Evaluation, name: &str) -> &'e FamilyRow {
    evaluation.families.iter().find(|row| row.name == name).expect("the family is in the corpus")
}

#[test]
fn recordings_are_told_apart() {
    let Some(found) = evaluation("recordings_are_told_apart") else { return };
    for name in VANILLA {
        let row = family(&found, name);
        assert!(row.sessions > 0 && row.flagged * 100 >= row.sessions * 99, "{row:?}");
    }
    for name in CURVES {
        let row = family(&found, name);
        assert!(row.sessions > 0 && row.median_bot > 0.0, "{row:?}");
    }
    assert!(found.families.iter().all(|row| row.refused == 0), "the gate is not applied");
    assert!(found.people.persons > 0 && found.people.session_flags == 0, "{:?}", found.people);
    assert!(found.skipped.is_empty(), "{:?}", found.skipped);
}
