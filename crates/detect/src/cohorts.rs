//! People whose browsers and hands are unlike the usual. Nobody of them may be flagged by one check.
//!
//! All of this is synthetic: made after specifications and sources of browsers, with no person recorded. It shows that
//! no rule fires on what is known to be ordinary, and says nothing of rates.

use crate::testing::{Draft, event};
use serde_json::json;
use voight_domain::ports::Judgement;
use voight_domain::registry::Sensitivity;
use voight_domain::verdict::{Assessment, LayerKind, Verdict, observe};

#[track_caller]
fn accepted(draft: &Draft) -> Assessment {
    match draft.judge() {
        Judgement::Assessed(found) => found,
        Judgement::Refused(reason) => panic!("refused: {reason}"),
    }
}

#[track_caller]
fn assert_not_flagged(draft: &Draft) {
    let found = accepted(draft);
    let at = voight_domain::Timestamp::from_millis(1_800_000_000_000);
    let seen = observe(&Verdict::default(), LayerKind::Claimed, &found, Sensitivity::default(), at).unwrap();
    let against: Vec<_> = found.findings.iter().filter(|f| f.weight.as_milli() > 0 && f.counted).collect();
    assert!(!seen.layer.flagged, "{against:?}");
}

/// Chromium under a Wayland compositor: it dates pointer events by its own clock, and gets fractions of a pixel from the
/// compositor. Where its window is, the compositor never says.
fn wayland() -> Draft {
    let mut draft = Draft::person();
    draft.first["env"]["position"] = json!({"x": 0, "y": 0});
    draft.all_rows(|at, row| {
        let at = i64::try_from(at).unwrap();
        row[1] += at * 7 % 10;
        (row[2], row[3]) = (row[2] + at * 37 % 100, row[3] + at * 53 % 100);
    });
    draft
}

fn open_tools(draft: &mut Draft) {
    draft.first["env"]["atLoad"]["debugger"] = json!({"prepare": 1, "name": 2});
    draft.second["env"]["atSubmit"]["stacks"] = json!(["querySelector: <anonymous>"]);
}

/// The `count`-th step of a coarse clock, in tenths of a millisecond.
#[expect(clippy::cast_precision_loss, clippy::cast_possible_truncation, reason = "small numbers of a test")]
fn tick(step: f64, count: i64) -> i64 {
    (count as f64 * step).round() as i64
}

/// Quick presses and six times Tab, all dated down to steps of so many tenths of a millisecond.
fn date_coarsely(draft: &mut Draft, step: f64) {
    #[expect(clippy::cast_precision_loss, clippy::cast_possible_truncation, reason = "small numbers of a test")]
    let dated = |t: i64| tick(step, (t as f64 / step).floor() as i64);
    draft.all_rows(|_, row| row[1] = dated(if matches!(row[0], 2 | 6) { row[1] - 800 } else { row[1] }));
    let tabs: Vec<i64> = (0..6).map(|at| dated(17_000 + at * 2000)).collect();
    let gap = |at: usize| if at == 0 { tabs[0] } else { tabs[at] - tabs[at - 1] };
    draft.first["keys"] = (0..6).map(|at| json!([gap(at), 0, 1])).collect();
    draft.second["counts"]["key"] = 6.into();
}

#[test]
fn wayland_with_a_mouse_a_pad_or_open_tools() {
    assert_not_flagged(&wayland());
    let mut tools = wayland();
    open_tools(&mut tools);
    assert_not_flagged(&tools);
}

#[test]
fn a_pad_that_taps_under_wayland() {
    let mut draft = wayland();
    draft.all_rows(|at, row| {
        row[1] += i64::try_from(at).unwrap() * 7 % 10;
        row[13] = 1;
        if row[0] == 2 || row[0] == 6 {
            row[1] -= 860;
        }
    });
    draft.second["counts"]["raw"] = draft.second["counts"]["move"].clone();
    assert_not_flagged(&draft);
}

#[test]
fn firefox_that_resists_fingerprinting() {
    const PAGE: &str = "Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0";
    const HEADER: &str = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:153.0) Gecko/20100101 Firefox/153.0";
    for step in [1000.0, 10_000.0 / 60.0] {
        let mut draft = Draft::person();
        let env = &mut draft.first["env"];
        (env["ua"], env["engine"]) = (PAGE.into(), json!({"errorShape": "spidermonkey", "evalLength": 37}));
        (env["worker"]["ua"], env["frame"]["ua"]) = (PAGE.into(), PAGE.into());
        env.as_object_mut().unwrap().remove("hints");
        // The header names the commonest system.
        draft.headers.retain(|(name, _)| !name.starts_with("sec-ch-"));
        draft.headers[0].1 = HEADER.into();
        date_coarsely(&mut draft, step);
        assert_not_flagged(&draft);
    }
}

#[test]
fn another_engine_that_wears_the_agent_string_of_chromium() {
    let mut draft = Draft::person();
    draft.first["env"]["engine"] = json!({"errorShape": "jsc", "evalLength": 37});
    draft.first["env"].as_object_mut().unwrap().remove("hints");
    // It sends neither client hints nor, in older releases, Fetch-Metadata.
    draft.headers.retain(|(name, _)| !name.starts_with("sec-"));
    assert_not_flagged(&draft);
}

#[test]
fn open_tools_on_a_scaled_screen() {
    for ratio in [1.25, 1.5, 2.0] {
        let mut draft = Draft::person();
        open_tools(&mut draft);
        draft.first["env"]["devicePixelRatio"] = ratio.into();
        draft.all_rows(|_, row| {
            for at in [2, 3] {
                #[expect(clippy::cast_possible_truncation, clippy::cast_precision_loss, reason = "small numbers")]
                let css = (((row[at] as f64) * ratio / 100.0).round() * 100.0 / ratio).round() as i64;
                row[at] = css;
            }
        });
        assert_not_flagged(&draft);
    }
}

#[test]
fn a_mouse_and_a_screen_of_the_same_high_rate_with_open_tools() {
    let mut draft = Draft::person();
    open_tools(&mut draft);
    draft.all_rows(|_, row| row[13] = 1);
    draft.second["counts"]["raw"] = draft.second["counts"]["move"].clone();
    assert_not_flagged(&draft);
}

#[test]
fn a_private_network_with_a_changed_time_zone_and_a_blocked_canvas() {
    let mut draft = Draft::person();
    draft.first["env"]["timeZone"] = "Asia/Tokyo".into();
    draft.first["env"]["native"]["failed"] =
        json!(["HTMLCanvasElement.toDataURL", "CanvasRenderingContext2D.getImageData"]);
    draft.first["env"]["frame"]["webglRenderer"] = "Generic Renderer".into();
    draft.first["env"]["worker"]["webglRenderer"] = "ANGLE (Intel, Mesa Intel(R) Graphics, OpenGL 4.6)".into();
    assert_not_flagged(&draft);
}

#[test]
fn a_finger_on_a_phone() {
    const UA: &str = "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Mobile Safari/537.36";
    let mut draft = Draft::person();
    let env = &mut draft.first["env"];
    (env["ua"], env["worker"]["ua"], env["frame"]["ua"]) = (UA.into(), UA.into(), UA.into());
    (env["platform"], env["hints"]["platform"]) = ("Linux armv81".into(), "Android".into());
    (env["worker"]["platform"], env["frame"]["platform"]) = ("Linux armv81".into(), "Linux armv81".into());
    env["media"] = json!({"hover": false, "anyHover": false, "pointer": "coarse", "anyPointer": "coarse"});
    draft.headers[0].1 = UA.into();
    draft
        .headers
        .iter_mut()
        .filter(|(name, _)| name == "sec-ch-ua-platform")
        .for_each(|(_, v)| *v = "\"Android\"".into());
    // A finger has odd times and more pressure than a mouse.
    draft.all_rows(|at, row| {
        row[1] += i64::try_from(at).unwrap() * 7 % 10;
        (row[9], row[10]) = (1000, 2);
    });
    assert_not_flagged(&draft);
}

#[test]
fn a_screen_reader_and_a_voice_that_click_without_a_pointer() {
    for trusted in [1, 0] {
        let mut draft = Draft::keyboard();
        draft.first["keys"] = json!([]);
        draft.first["pointer"][0][11] = trusted.into();
        assert_not_flagged(&draft);
    }
}

#[test]
fn many_keys_under_wayland() {
    let mut draft = Draft::keyboard();
    draft.first["env"]["position"] = json!({"x": 0, "y": 0});
    let tabs: Vec<_> =
        (0..8).map(|at| json!([if at == 0 { 17_003 } else { 1003 + at * 173 % 400 }, 810 + at, 1])).collect();
    draft.first["keys"] = json!(tabs);
    draft.second["counts"]["key"] = 8.into();
    assert_not_flagged(&draft);
}

#[test]
fn a_phone_on_its_side_has_a_low_stage() {
    let mut draft = Draft::person();
    // 616 by 128 px, which leaves a target of 52 px a room of 76.
    draft.reshape_stage(61_600, 12_800);
    accepted(&draft);
}

#[test]
fn a_resting_mouse_does_not_leap() {
    let mut draft = Draft::person();
    draft.second_place = None;
    draft.second["layout"] = json!([]);
    draft.second["pointer"] = json!([]);
    let rows = [event(1, 26_003, 216, 188), event(2, 26_803, 216, 188)];
    draft.first["pointer"] = crate::testing::encode(&rows);
    draft.first["pointer"].as_array_mut().unwrap().push(json!([6, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7, 1, 0, 0, 40, []]));
    assert_not_flagged(&draft);
}
