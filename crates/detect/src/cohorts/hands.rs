//! Hands, pens, and those who use none of them.

use super::assert_not_flagged;
use crate::testing::{Draft, click, encode, event};
use serde_json::json;

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
fn a_resting_mouse_does_not_leap() {
    let mut draft = Draft::person();
    draft.second_place = None;
    draft.second["layout"] = json!([]);
    draft.second["pointer"] = json!([]);
    let rows = [event(1, 26_003, 216, 188), event(2, 26_803, 216, 188)];
    draft.first["pointer"] = encode(&rows);
    draft.first["pointer"].as_array_mut().unwrap().push(json!([6, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7, 1, 0, 0, 40, []]));
    assert_not_flagged(&draft);
}

#[test]
fn a_pen_that_hovers_and_taps() {
    let mut draft = Draft::person();
    draft.first["env"]["maxTouchPoints"] = 10.into();
    draft.all_rows(|at, row| {
        let at = i64::try_from(at).unwrap();
        (row[1], row[2], row[9], row[10]) = (row[1] + at * 7 % 10, row[2] + at * 37 % 100, 0, 1);
    });
    assert_not_flagged(&draft);
}

#[test]
fn a_switch_that_presses_the_same_key_in_even_steps() {
    let mut draft = Draft::keyboard();
    draft.first["keys"] = (0..8).map(|at| json!([if at == 0 { 13_003 } else { 1500 }, 100, 1])).collect();
    draft.second["counts"]["key"] = 8.into();
    assert_not_flagged(&draft);
}

#[test]
fn a_voice_that_leaps_to_its_target_and_presses_its_centre() {
    let mut draft = Draft::person();
    draft.all_rows(|at, row| {
        if at < 30 {
            (row[2], row[3]) = (4000, 33_000);
        }
        if row[0] == 2 || row[0] == 6 {
            row[1] -= 870;
        }
    });
    assert_not_flagged(&draft);
}

#[test]
fn fingers_that_type_one_after_the_other() {
    let mut draft = Draft::keyboard();
    let key = |at: i64| json!([if at == 0 { 7003 } else { 900 + at * 137 % 700 }, 600 + at % 7, 1]);
    draft.first["keys"] = (0..16).map(key).collect();
    draft.second["counts"]["key"] = 16.into();
    assert_not_flagged(&draft);
}

#[test]
fn an_aid_that_acts_on_elements_without_any_input() {
    let mut draft = Draft::person();
    for (batch, t, centre, role) in
        [(&mut draft.first, 26_003, (216, 188), 1), (&mut draft.second, 42_007, (328, 349), 2)]
    {
        let mut down = event(1, t, centre.0, centre.1);
        let mut up = event(2, t + 1, centre.0, centre.1);
        for row in [&mut down, &mut up] {
            (row[9], row[12]) = (0, role);
        }
        let mut clicked = click(t + 1, centre.0, centre.1, 1, role);
        clicked[8] = 1;
        batch["pointer"] = encode(&[down, up, clicked]);
    }
    draft.second["counts"]["move"] = 0.into();
    draft.second["counts"]["raw"] = 0.into();
    assert_not_flagged(&draft);
}
