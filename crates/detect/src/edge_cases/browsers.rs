//! Privacy browsers, other engines, and the effects of browser extensions.

use super::{assert_not_flagged, open_tools};
use crate::testing::{CheckBuilder, WINDOWS};
use serde_json::{Value, json};

/// Returns the `count`-th tick of a coarse clock, in tenths of a millisecond.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    reason = "small numbers of a test"
)]
fn tick(step: f64, count: i64) -> i64 {
    (count as f64 * step).round() as i64
}

/// Adds quick presses and six Tab keys, all dated down to multiples of `step` tenths of a millisecond.
fn date_coarsely(draft: &mut CheckBuilder, step: f64) {
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        reason = "small numbers of a test"
    )]
    let coarse_time = |t: i64| tick(step, (t as f64 / step).floor() as i64);
    draft.all_rows(|_, row| {
        row[1] = coarse_time(if matches!(row[0], 2 | 6) {
            row[1] - 800
        } else {
            row[1]
        });
    });
    let tabs: Vec<i64> = (0..6).map(|at| coarse_time(17_000 + at * 2000)).collect();
    let gap = |at: usize| {
        if at == 0 {
            tabs[0]
        } else {
            tabs[at] - tabs[at - 1]
        }
    };
    draft.first["keys"] = (0..6).map(|at| json!([gap(at), 0, 1])).collect();
    draft.second["counts"]["key"] = 6.into();
}

#[test]
fn firefox_that_resists_fingerprinting() {
    const PAGE: &str = "Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0";
    const HEADER: &str =
        "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:153.0) Gecko/20100101 Firefox/153.0";
    for step in [1000.0, 10_000.0 / 60.0] {
        let mut draft = CheckBuilder::person();
        let env = &mut draft.first["env"];
        (env["ua"], env["engine"]) = (
            PAGE.into(),
            json!({"errorShape": "spidermonkey", "evalLength": 37}),
        );
        (env["worker"]["ua"], env["frame"]["ua"]) = (PAGE.into(), PAGE.into());
        env.as_object_mut().unwrap().remove("hints");
        // The header names the most common operating system.
        draft
            .headers
            .retain(|(name, _)| !name.starts_with("sec-ch-"));
        draft.headers[0].1 = HEADER.into();
        date_coarsely(&mut draft, step);
        assert_not_flagged(&draft);
    }
}

#[test]
fn other_engine_with_chromium_agent() {
    let mut draft = CheckBuilder::person();
    draft.first["env"]["engine"] = json!({"errorShape": "jsc", "evalLength": 37});
    draft.first["env"].as_object_mut().unwrap().remove("hints");
    // The browser sends neither client hints nor, in older releases, Fetch-Metadata.
    draft.headers.retain(|(name, _)| !name.starts_with("sec-"));
    assert_not_flagged(&draft);
}

/// Builds a check in which an extension changes the agent string of the page, but not of workers.
fn disguised() -> CheckBuilder {
    let mut draft = CheckBuilder::person();
    draft.first["env"]["ua"] = WINDOWS.into();
    draft
}

#[test]
fn browser_with_numbers_per_site() {
    let mut draft = CheckBuilder::person();
    let env = &mut draft.first["env"];
    (env["hardwareConcurrency"], env["deviceMemory"]) = (7.into(), 0.5.into());
    (env["webglVendor"], env["webglRenderer"]) = ("d0S".into(), "jZs".into());
    env["worker"]["hardwareConcurrency"] = 3.into();
    (env["worker"]["webglVendor"], env["worker"]["webglRenderer"]) =
        ("Intel".into(), "Mesa Intel(R)".into());
    assert_not_flagged(&draft);
    open_tools(&mut draft);
    draft.first["env"]["worker"] = draft.first["env"]["frame"].clone();
    assert_not_flagged(&draft);
}

#[test]
fn safari_with_a_pad() {
    const UA: &str = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Safari/605.1.15";
    let mut draft = CheckBuilder::person();
    let env = &mut draft.first["env"];
    env.as_object_mut().unwrap().remove("hints");
    for place in ["/env", "/env/worker", "/env/frame"] {
        let place = draft.first.pointer_mut(place).unwrap();
        (place["ua"], place["platform"], place["webglRenderer"]) =
            (UA.into(), "MacIntel".into(), "Apple GPU".into());
        place["webglVendor"] = "Apple Inc.".into();
    }
    draft.first["env"]["engine"] = json!({"errorShape": "jsc", "evalLength": 37, "nullError":
        "null is not an object (evaluating 'null.x')", "features": ["safari", "ApplePaySession", "Notification", "GPU",
        "PaymentRequest", "structuredClone", "MediaSession", "cookieStore"]});
    draft
        .headers
        .retain(|(name, _)| !name.starts_with("sec-ch-"));
    draft.headers[0].1 = UA.into();
    // A trackpad reports positions between pixels; the browser offers neither coalesced events nor raw updates, and a tap is
    // short.
    draft.all_rows(|at, row| {
        let at = i64::try_from(at).unwrap();
        (row[1], row[2], row[13], row[14]) = (row[1] + at * 7 % 10, row[2] + at * 37 % 100, -1, -1);
        if row[0] == 2 || row[0] == 6 {
            row[1] -= 860;
        }
    });
    draft.second["counts"]["raw"] = 0.into();
    assert_not_flagged(&draft);
}

#[test]
fn extension_that_changes_the_agent() {
    assert_not_flagged(&disguised());
    let mut everywhere = disguised();
    everywhere.headers[0].1 = WINDOWS.into();
    everywhere
        .headers
        .retain(|(name, _)| !name.starts_with("sec-ch-"));
    assert_not_flagged(&everywhere);
    let mut mobile = disguised();
    mobile.first["env"]["maxTouchPoints"] = 0.into();
    mobile.all_rows(|_, row| row[10] = 2);
    assert_not_flagged(&mobile);
}

#[test]
fn wallets_injected_into_every_page() {
    let mut draft = CheckBuilder::person();
    let globals = json!(["_phantomInpage", "__pwallet", "spawn"]);
    draft.first["env"]["atLoad"]["globals"] = json!(["_phantomInpage"]);
    draft.second["env"]["atSubmit"]["globals"] =
        Value::Array(vec![globals[0].clone(), globals[2].clone()]);
    draft.second["env"]["atSubmit"]["stacks"] = json!([
        "querySelector: e (chrome-extension:) | Array.map (<anonymous>)",
        "getBoundingClientRect: moz-extension:"
    ]);
    draft.first["env"]["native"]["failed"] = json!(["EventTarget.addEventListener"]);
    assert_not_flagged(&draft);
}
