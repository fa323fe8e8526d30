//! Displays, window systems, developer tools and remote desktops.

use super::{assert_not_flagged, assess_accepted, open_tools};
use crate::testing::CheckBuilder;
use serde_json::json;

/// Builds a check of Chromium under a Wayland compositor.
///
/// Chromium dates pointer events by its own clock, and gets fractions of a pixel from the compositor, which never reports
/// the position of the window.
fn wayland() -> CheckBuilder {
    let mut draft = CheckBuilder::person();
    draft.first["env"]["position"] = json!({"x": 0, "y": 0});
    draft.all_rows(|at, row| {
        let at = i64::try_from(at).unwrap();
        row[1] += at * 7 % 10;
        (row[2], row[3]) = (row[2] + at * 37 % 100, row[3] + at * 53 % 100);
    });
    draft
}

#[test]
fn wayland_with_mouse_pad_or_tools() {
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
    open_tools(&mut draft);
    assert_not_flagged(&draft);
}

#[test]
fn many_keys_under_wayland() {
    let mut draft = CheckBuilder::keyboard();
    draft.first["env"]["position"] = json!({"x": 0, "y": 0});
    let tabs: Vec<_> = (0..8)
        .map(|at| {
            json!([
                if at == 0 {
                    17_003
                } else {
                    1003 + at * 173 % 400
                },
                810 + at,
                1
            ])
        })
        .collect();
    draft.first["keys"] = json!(tabs);
    draft.second["counts"]["key"] = 8.into();
    assert_not_flagged(&draft);
}

#[test]
fn open_tools_on_a_scaled_screen() {
    for ratio in [1.25, 1.5, 2.0] {
        let mut draft = CheckBuilder::person();
        open_tools(&mut draft);
        draft.first["env"]["devicePixelRatio"] = ratio.into();
        draft.all_rows(|_, row| {
            for at in [2, 3] {
                #[expect(
                    clippy::cast_possible_truncation,
                    clippy::cast_precision_loss,
                    reason = "small numbers"
                )]
                let css =
                    (((row[at] as f64) * ratio / 100.0).round() * 100.0 / ratio).round() as i64;
                row[at] = css;
            }
        });
        assert_not_flagged(&draft);
    }
}

#[test]
fn mouse_at_screen_rate_with_open_tools() {
    let mut draft = CheckBuilder::person();
    open_tools(&mut draft);
    draft.all_rows(|_, row| row[13] = 1);
    draft.second["counts"]["raw"] = draft.second["counts"]["move"].clone();
    assert_not_flagged(&draft);
}

#[test]
fn landscape_phone_has_a_low_stage() {
    let mut draft = CheckBuilder::person();
    // A stage of 616 by 128 px gives a target of 52 px a free height of 76 px.
    draft.reshape_stage(61_600, 12_800);
    assess_accepted(&draft);
}

/// Developer tools that emulate a phone on a desktop: they change the agent string, hints, screen and touch, but neither
/// workers nor
/// the platform.
#[test]
fn open_tools_that_emulate_a_phone() {
    const UA: &str = "Mozilla/5.0 (Linux; Android 13; Pixel 7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Mobile Safari/537.36";
    for touch in [true, false] {
        let mut draft = CheckBuilder::person();
        open_tools(&mut draft);
        let env = &mut draft.first["env"];
        (env["ua"], env["frame"]["ua"]) = (UA.into(), UA.into());
        (env["hints"]["platform"], env["hints"]["mobile"]) = ("Android".into(), true.into());
        (env["screen"], env["outer"]) = (json!({"w": 412, "h": 915}), json!({"w": 1280, "h": 900}));
        env["worker"]["hardwareConcurrency"] = 8.into();
        if touch {
            draft.all_rows(|_, row| row[10] = 2);
        }
        draft.headers[0].1 = UA.into();
        draft
            .headers
            .iter_mut()
            .filter(|(name, _)| name == "sec-ch-ua-mobile")
            .for_each(|(_, sent)| *sent = "?1".into());
        let platform = draft
            .headers
            .iter_mut()
            .filter(|(name, _)| name == "sec-ch-ua-platform");
        platform.for_each(|(_, sent)| *sent = "\"Android\"".into());
        assert_not_flagged(&draft);
    }
}

#[test]
fn window_over_two_screens_with_open_tools() {
    let mut draft = CheckBuilder::person();
    open_tools(&mut draft);
    draft.first["env"]["outer"] = json!({"w": 3840, "h": 1080});
    assert_not_flagged(&draft);
}

#[test]
fn a_remote_desktop() {
    let mut draft = CheckBuilder::person();
    draft.first["env"]["media"] =
        json!({"hover": false, "anyHover": false, "pointer": "none", "anyPointer": "none"});
    draft.received_after = [20_000, 40_000];
    // A remote desktop sends few, separate and distant moves, and sends presses as one event.
    draft.all_rows(|at, row| {
        row[1] += 300 * i64::try_from(at).unwrap();
        (row[13], row[15]) = (1, 250);
        if row[0] == 2 || row[0] == 6 {
            row[1] -= 300 + 860;
        }
    });
    for (batch, submit) in [(&mut draft.first, 43_000), (&mut draft.second, 59_000)] {
        batch["clock"]["submit"] = submit.into();
    }
    draft.second["counts"]["raw"] = draft.second["counts"]["move"].clone();
    assert_not_flagged(&draft);
}

#[test]
fn a_zoomed_page() {
    for ratio in [0.5, 0.9, 1.1, 3.0] {
        let mut draft = CheckBuilder::person();
        draft.first["env"]["devicePixelRatio"] = ratio.into();
        draft.first["env"]["inner"] = json!({"w": 432.0 / ratio, "h": 560.0 / ratio});
        assert_not_flagged(&draft);
    }
}
