//! A small zoo: one session of each of a few families, of those that need nothing but what the tests install.
#![expect(clippy::expect_used, reason = "a test stops at the first thing that is wrong")]

use voight_tests::skip::skipped;
use voight_zoo::drive::{self, Ended, Visitor};
use voight_zoo::families::chosen;
use voight_zoo::judge::Judged;
use voight_zoo::stage::Stage;

const ADDRESS: &str = "0x52908400098527886e0f7030069857d2e4169ee7";

/// One session of a family; `None` if it cannot be run here, which is reported in the name of `test`.
fn session(test: &str, family: &str) -> Option<Judged> {
    let family = chosen(&[family.to_owned()]).expect("a family")[0];
    if let Some(why) = drive::missing(family) {
        skipped(test, &why);
        return None;
    }
    let stage = Stage::set().expect("a running service");
    let visitor = Visitor { context: stage.context(family.name), address: ADDRESS.to_owned(), number: 0 };
    let session = drive::run(family, &stage, &visitor);
    let known = stage.explain(&visitor.context, ADDRESS);
    let flagged = stage.is_bot(&visitor.context, ADDRESS).expect("an answered lookup");
    Some(Judged::of(session.ended, flagged, &known))
}

#[test]
fn a_driven_browser_is_flagged() {
    let Some(found) = session("a_driven_browser_is_flagged", "playwright_headless") else { return };
    assert!(found.flagged && found.rules.contains("webdriver"), "{found:?}");
}

#[test]
fn posted_recordings_are_refused() {
    let Some(found) = session("posted_recordings_are_refused", "replay_posted") else { return };
    assert_eq!((found.ended.clone(), found.flagged), (Ended::Refused, false), "{found:?}");
}

#[test]
fn the_least_evidence_is_refused() {
    let Some(found) = session("the_least_evidence_is_refused", "http_bare") else { return };
    assert_eq!(found.ended, Ended::Refused, "{found:?}");
}

#[test]
fn somebody_with_a_keyboard_is_not_flagged() {
    let Some(found) = session("somebody_with_a_keyboard_is_not_flagged", "keyboard_enter") else { return };
    assert_eq!((found.ended.clone(), found.flagged), (Ended::Completed, false), "{found:?}");
}
