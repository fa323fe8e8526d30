//! Attempts to silence the model, or to earn human evidence without a movement that the model judged.
//!
//! Each attempt is found by a rule, earns no human evidence, or is listed as open in the README.

use crate::testing::{CheckBuilder, click, encode};
use serde_json::json;
use voight_domain::verdict::Assessment;

const RULE: &str = "other_pointer_moved";

/// Assesses the check with a model that takes every movement for a machine's.
fn judged(draft: &CheckBuilder) -> Assessment {
    draft.assess_with(9.0)
}

/// % of the cases.
fn is_judged(draft: &CheckBuilder) -> bool {
    judged(draft).versions.model != 0
}

/// Returns the evidence for a human with a model that takes every movement for a hand's.
fn human(draft: &CheckBuilder) -> i32 {
    draft.assess_with(-1.0).human.as_milli()
}

/// Builds a check whose mouse moves, and whose presses, releases and clicks have pointer type `press`.
fn pressed_by(press: i64) -> CheckBuilder {
    moved_and_pressed(0, press)
}

fn moved_and_pressed(moves: i64, press: i64) -> CheckBuilder {
    let mut draft = CheckBuilder::person();
    draft.all_rows(|_, row| row[10] = if row[0] == 0 { moves } else { press });
    draft
}

#[test]
fn person_is_judged_with_human_signs() {
    assert!(is_judged(&CheckBuilder::person()));
    assert_eq!(
        (
            human(&CheckBuilder::person()),
            CheckBuilder::person().fires(RULE)
        ),
        (1700, None)
    );
}

#[test]
fn pen_press_after_mouse_moves_is_reported() {
    let draft = pressed_by(1);
    assert!(draft.fires(RULE).is_some());
    assert_eq!((human(&draft), is_judged(&draft)), (0, false));
}

#[test]
fn mouse_press_after_pen_moves_is_reported() {
    for moves in [1, 3] {
        let draft = moved_and_pressed(moves, 0);
        assert!(draft.fires(RULE).is_some(), "{moves}");
        assert_eq!(human(&draft), 0, "{moves}");
    }
}

#[test]
fn single_movement_does_not_exempt_a_mouse() {
    let mut draft = CheckBuilder::person();
    draft.all_rows(|at, row| row[10] = i64::from(row[0] == 0 && at % 8 != 0));
    assert!(draft.fires(RULE).is_some());
    assert_eq!(human(&draft), 0);
}

#[test]
fn unknown_pointer_type_is_accepted() {
    let draft = pressed_by(3);
    assert!(draft.fires(RULE).is_some());
    assert_eq!(human(&draft), 0);
}

#[test]
fn click_without_pointer_press_is_reported() {
    let mut draft = CheckBuilder::person();
    for batch in [&mut draft.first, &mut draft.second] {
        let rows = batch["pointer"].as_array_mut().unwrap();
        let offset = |row: &serde_json::Value, at: usize| row[at].as_i64().unwrap();
        let down = rows.remove(31);
        let up = rows.remove(31);
        for at in 1..=5 {
            rows[31][at] = (offset(&rows[31], at) + offset(&down, at) + offset(&up, at)).into();
        }
    }
    assert!(draft.fires(RULE).is_some());
    assert_eq!(human(&draft), 0);
}

#[test]
fn touch_press_after_mouse_moves_is_neutral() {
    let draft = pressed_by(2);
    assert_eq!(draft.fires(RULE), None);
    assert_eq!((human(&draft), is_judged(&draft)), (0, false));
}

#[test]
fn single_movement_is_no_human_sign() {
    let mut by_context = CheckBuilder::person();
    by_context.second["pointer"] = json!([]);
    let mut by_key = CheckBuilder::person();
    by_key.second["pointer"] = encode(&[click(43_203, 328, 349, 0, 2)]);
    let mut by_finger = CheckBuilder::person();
    by_finger.second_rows(|rows| {
        rows.iter_mut()
            .filter(|row| row[0] != 0)
            .for_each(|row| row[10] = 2);
    });
    for draft in [by_context, by_key, by_finger] {
        assert_eq!((human(&draft), is_judged(&draft)), (0, false));
    }
}

#[test]
fn keys_after_pointer_moves_are_no_human_sign() {
    let mut draft = CheckBuilder::person();
    draft.all_rows(|_, row| row[11] &= 3);
    assert_eq!((human(&draft), is_judged(&draft)), (0, false));
}

#[test]
fn key_grid_needs_key_presses() {
    let keys: Vec<_> = (0..12)
        .map(|at| json!([if at == 0 { 17_003 } else { 700 + at * 30 }, 510 + at, 1]))
        .collect();
    let mut keyboard = CheckBuilder::keyboard();
    keyboard.first["keys"] = json!(keys);
    assert_eq!(human(&keyboard), 700);
    let mut pen = pressed_by(1);
    pen.first["keys"] = json!(keys);
    assert_eq!(human(&pen), 0);
}

#[test]
fn abstaining_model_leaves_no_human_sign() {
    let mut draft = CheckBuilder::person();
    // Every other interval is longer than a frame of a remote desktop, so the median interval is not.
    draft.all_rows(|at, row| row[1] += i64::try_from(at).unwrap() / 5 * 2 * 200);
    assert_eq!((human(&draft), is_judged(&draft)), (0, false));
}

#[test]
fn few_coalesced_moves_are_no_human_sign() {
    let mut draft = CheckBuilder::person();
    for batch in [&mut draft.first, &mut draft.second] {
        // Four moves lead to the press; the moves before them have no displacement.
        let rows = batch["pointer"].as_array_mut().unwrap();
        for row in rows.iter_mut().skip(5).filter(|row| row[0] == 0) {
            (row[2], row[3], row[13]) = (0.into(), 0.into(), 9.into());
        }
    }
    assert_eq!((human(&draft), is_judged(&draft)), (0, false));
}

#[test]
fn page_press_does_not_end_a_movement() {
    let mut draft = CheckBuilder::person();
    draft.all_rows(|at, row| {
        // The pointer goes down on the page every fifth step.
        if row[0] == 0 && at % 5 == 4 {
            (row[0], row[13]) = (1, 0);
        }
    });
    assert!(is_judged(&draft));
    let mut double_click = CheckBuilder::person();
    double_click.second_rows(|rows| {
        let later_rows: Vec<[i64; 16]> = rows.iter().filter(|row| row[0] != 0).copied().collect();
        rows.extend(later_rows.into_iter().map(|row| with_time(row, 1900)));
    });
    assert!(is_judged(&double_click), "a second click on the target");
}

fn with_time(mut row: [i64; 16], by: i64) -> [i64; 16] {
    row[1] += by;
    row
}

#[test]
fn key_after_click_keeps_human_signs() {
    let mut draft = CheckBuilder::person();
    draft.second_rows(|rows| {
        let end = rows.last().unwrap()[1];
        rows.push(click(end + 300, 330, 361, 0, 2));
    });
    assert!(is_judged(&draft));
}

#[test]
fn script_press_leaves_no_human_sign() {
    let mut draft = CheckBuilder::person();
    draft.all_rows(|_, row| row[11] &= if row[0] == 0 { -1 } else { !1 });
    assert_eq!((human(&draft), is_judged(&draft)), (0, false));
}

#[test]
fn missing_submit_probe_is_no_human_sign() {
    let mut draft = CheckBuilder::person();
    draft.second["env"] = json!({});
    assert_eq!(human(&draft), 0);
}

#[test]
fn pen_movements_abstain_from_the_model() {
    let draft = moved_and_pressed(1, 1);
    assert_eq!(draft.fires(RULE), None, "no recordings of pens exist");
    assert_eq!((human(&draft), is_judged(&draft)), (0, false));
}
