//! People whose browsers and hands are unlike the usual. Nobody of them may be flagged by one check.
//!
//! All of this is synthetic: made after specifications and sources of browsers, with no person recorded. It shows that
//! no rule fires on what is known to be ordinary, and says nothing of rates.

mod browsers;
mod fingers;
mod hands;
mod networks;
mod screens;

use crate::testing::CheckBuilder;
use serde_json::json;
use voight_domain::ports::Judgement;
use voight_domain::registry::Sensitivity;
use voight_domain::verdict::{Assessment, LayerKind, Verdict, observe};

#[track_caller]
fn assess_accepted(draft: &CheckBuilder) -> Assessment {
    match draft.judge() {
        Judgement::Assessed(found) => found,
        Judgement::Refused(reason) => panic!("refused: {reason}"),
    }
}

#[track_caller]
fn assert_not_flagged(draft: &CheckBuilder) {
    let found = assess_accepted(draft);
    let at = voight_domain::Timestamp::from_millis(1_800_000_000_000);
    let seen = observe(&Verdict::default(), LayerKind::Unverified, &found, Sensitivity::default(), at).unwrap();
    let against: Vec<_> = found.findings.iter().filter(|f| f.weight.as_milli() > 0 && f.counted).collect();
    assert!(!seen.layer.flagged, "{against:?}");
}

/// Somebody has developer tools open, and looks around in the document.
fn open_tools(draft: &mut CheckBuilder) {
    draft.first["env"]["atLoad"]["debugger"] = json!({"prepare": 1, "name": 2});
    draft.second["env"]["atSubmit"]["stacks"] = json!(["querySelector: <anonymous>"]);
}
