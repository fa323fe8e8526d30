//! Synthetic edge cases: unusual but legitimate browsers and input devices. No single check may flag them.
//!
//! All of them are derived from specifications and browser sources; no person was recorded. They show that no rule fires on
//! behaviour that is known to be ordinary, and give no rates.

mod browsers;
mod networks;
mod pointing_devices;
mod screens;
mod touch;

use crate::testing::CheckBuilder;
use serde_json::json;
use voight_domain::ports::Judgement;
use voight_domain::registry::MinConfidence;
use voight_domain::verdict::{Assessment, LayerKind, Verdict, observe};

#[track_caller]
fn assess_accepted(draft: &CheckBuilder) -> Assessment {
    match draft.judge() {
        Judgement::Assessed(found) => found,
        Judgement::Rejected(reason) => panic!("refused: {reason}"),
    }
}

#[track_caller]
fn assert_not_flagged(draft: &CheckBuilder) {
    let assessment = assess_accepted(draft);
    let at = voight_domain::Timestamp::from_millis(1_800_000_000_000);
    let observation = observe(
        &Verdict::default(),
        LayerKind::Unverified,
        &assessment,
        MinConfidence::default(),
        at,
    )
    .unwrap();
    let against: Vec<_> = assessment
        .findings
        .iter()
        .filter(|f| f.weight.as_milli() > 0 && f.counted)
        .collect();
    assert!(!observation.layer.flagged, "{against:?}");
}

/// Simulates open developer tools and a query in the document from their console.
fn open_tools(draft: &mut CheckBuilder) {
    draft.first["env"]["atLoad"]["debugger"] = json!({"prepare": 1, "name": 2});
    draft.second["env"]["atSubmit"]["stacks"] = json!(["querySelector: <anonymous>"]);
}
