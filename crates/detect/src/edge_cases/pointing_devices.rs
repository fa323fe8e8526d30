//! Pens, assistive technology, and visitors without a pointing device.

use super::assert_not_flagged;
use crate::testing::{CheckBuilder, click, encode, event};
use serde_json::json;

#[test]
fn screen_reader_clicks_without_pointer() {
    for trusted in [1, 0] {
        let mut draft = CheckBuilder::keyboard();
        draft.first["keys"] = json!([]);
        draft.first["pointer"][0][11] = trusted.into();
        assert_not_flagged(&draft);
    }
}

#[test]
fn a_resting_mouse_does_not_leap() {
    let mut draft = CheckBuilder::person();
    draft.second_place = None;
    draft.second["layout"] = json!([]);
    draft.second["pointer"] = json!([]);
    let rows = [event(1, 26_003, 216, 188), event(2, 26_803, 216, 188)];
    draft.first["pointer"] = encode(&rows);
    draft.first["pointer"].as_array_mut().unwrap().push(json!([
        6,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        7,
        1,
        0,
        0,
        40,
        []
    ]));
    assert_not_flagged(&draft);
}

#[test]
fn a_pen_that_hovers_and_taps() {
    let mut draft = CheckBuilder::person();
    draft.first["env"]["maxTouchPoints"] = 10.into();
    draft.all_rows(|at, row| {
        let at = i64::try_from(at).unwrap();
        (row[1], row[2], row[9], row[10]) = (row[1] + at * 7 % 10, row[2] + at * 37 % 100, 0, 1);
    });
    assert_not_flagged(&draft);
}

/// A pen without hover detection: it appears at the press, and slides a little or not at all.
#[test]
fn a_pen_that_touches_without_hovering() {
    for slides in [false, true] {
        let mut draft = CheckBuilder::person();
        draft.first["env"]["maxTouchPoints"] = 5.into();
        for (batch, t, place, role) in [
            (&mut draft.first, 26_037, (210, 181), 1),
            (&mut draft.second, 42_419, (330, 361), 2),
        ] {
            let mut rows = vec![event(1, t, place.0, place.1)];
            if slides {
                rows.extend((1..5).map(|n| event(0, t + 167 * n, place.0 + n, place.1)));
            }
            rows.extend([
                event(2, t + 871, place.0, place.1),
                click(t + 871, place.0, place.1, 1, role),
            ]);
            for row in &mut rows {
                (row[10], row[12]) = (1, if row[0] == 0 { 0 } else { role });
            }
            batch["pointer"] = encode(&rows);
        }
        assert_not_flagged(&draft);
        assert_eq!(draft.fires("other_pointer_moved"), None);
    }
}

/// A mouse moves, then a pen presses. A pen that hovers first trips no rule; one that does not is found, but not flagged.
#[test]
fn pen_after_mouse() {
    for (felt, fires) in [(2, false), (0, true)] {
        let mut draft = CheckBuilder::person();
        draft.first["env"]["maxTouchPoints"] = 10.into();
        draft.all_rows(|at, row| row[10] = i64::from(row[0] != 0 || at > 30 - felt));
        assert_not_flagged(&draft);
        assert_eq!(
            draft.fires("other_pointer_moved").is_some(),
            fires,
            "{felt}"
        );
    }
}

/// Screen readers of phones: a touch that the system imitates clicks with a count and without a pointer.
#[test]
fn screen_reader_click_counts_a_press() {
    let mut draft = CheckBuilder::keyboard();
    draft.first["keys"] = json!([]);
    draft.first["pointer"] = encode(&[click(26_003, 216, 188, 1, 1)]);
    assert_not_flagged(&draft);
    assert_eq!(draft.fires("other_pointer_moved"), None);
}

/// A visitor moves the mouse aside and then presses by keys.
#[test]
fn keys_after_idle_moves_of_a_mouse() {
    let mut draft = CheckBuilder::person();
    draft.second_place = None;
    draft.second["layout"] = json!([]);
    draft.second["pointer"] = json!([]);
    let rows = draft.first["pointer"].as_array_mut().unwrap();
    rows.truncate(20);
    let by_key = encode(&[click(2600, 0, 0, 0, 1)])[0].clone();
    rows.push(by_key);
    draft.first["keys"] = json!([[21_003, 930, 1], [5000, 810, 1]]);
    draft.second["counts"]["key"] = 2.into();
    assert_not_flagged(&draft);
    assert_eq!(draft.fires("other_pointer_moved"), None);
}

#[test]
fn switch_with_even_key_steps() {
    let mut draft = CheckBuilder::keyboard();
    draft.first["keys"] = (0..8)
        .map(|at| json!([if at == 0 { 13_003 } else { 1500 }, 100, 1]))
        .collect();
    draft.second["counts"]["key"] = 8.into();
    assert_not_flagged(&draft);
}

#[test]
fn voice_control_presses_target_centre() {
    let mut draft = CheckBuilder::person();
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
    let mut draft = CheckBuilder::keyboard();
    let key = |at: i64| {
        json!([
            if at == 0 { 7003 } else { 900 + at * 137 % 700 },
            600 + at % 7,
            1
        ])
    };
    draft.first["keys"] = (0..16).map(key).collect();
    draft.second["counts"]["key"] = 16.into();
    assert_not_flagged(&draft);
}

#[test]
fn aid_that_acts_without_input() {
    let mut draft = CheckBuilder::person();
    for (batch, t, centre, role) in [
        (&mut draft.first, 26_003, (216, 188), 1),
        (&mut draft.second, 42_007, (328, 349), 2),
    ] {
        let mut down = event(1, t, centre.0, centre.1);
        let mut up = event(2, t + 1, centre.0, centre.1);
        for row in [&mut down, &mut up] {
            (row[9], row[12]) = (0, role);
        }
        let mut click_row = click(t + 1, centre.0, centre.1, 1, role);
        click_row[8] = 1;
        batch["pointer"] = encode(&[down, up, click_row]);
    }
    draft.second["counts"]["move"] = 0.into();
    draft.second["counts"]["raw"] = 0.into();
    assert_not_flagged(&draft);
}
