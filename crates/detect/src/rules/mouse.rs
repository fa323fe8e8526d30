//! Rules about events that a hand on a mouse cannot produce.
//!
//! The rules ignore a click without a pointer, `detail` 0, and untrusted events: those may come from a key, a switch, a
//! screen reader, or a tool that clicks for a visitor.

use super::move_delivery::is_sparse;
use super::timing::has_coarse_clock;
use crate::batch_summary::px;
use crate::evidence_schema::{
    HitTarget, PointerEvent, PointerKind, PointerType, Rectangle, RectangleRole,
};
use crate::facts::CheckFacts;
use crate::press::{MAX_ZERO_HOLD, Press};

/// Minimum length of a leap, the last step before a press, in hundredths of a CSS pixel.
///
/// A hand slows down before it presses, and even at its fastest it rarely moves farther between two frames.
const LEAP_DISTANCE: f64 = 10_000.0;

/// Matches if a mouse went down without pressure, where browsers report 0.5.
pub(super) fn zero_pressure(facts: &CheckFacts) -> Option<String> {
    let mut presses = facts.mouse_presses().filter(|_| facts.is_chromium());
    let (_, down) = presses.find(|(_, down)| down.pressure == 0)?;
    Some(format!(
        "a mouse went down with pressure 0 and buttons {}",
        down.buttons
    ))
}

/// Matches if the pointer reached the position of its press in one leap.
pub(super) fn teleport(facts: &CheckFacts) -> Option<String> {
    if is_sparse(facts) {
        return None;
    }
    let positions: Vec<&PointerEvent> = facts
        .pointer_streams()
        .flatten()
        .filter(|event| has_position(event))
        .collect();
    let leaps = facts
        .mouse_presses()
        .filter_map(|(_, down)| last_step(&positions, down));
    let leap = leaps
        .filter(|leap| *leap > LEAP_DISTANCE)
        .reduce(f64::max)?;
    Some(format!(
        "the pointer came to its press in one step of {:.0} px",
        leap / 100.0
    ))
}

/// Returns `true` if the event shows the position of the mouse.
fn has_position(event: &PointerEvent) -> bool {
    event.pointer == PointerType::Mouse
        && !matches!(event.kind, PointerKind::Click | PointerKind::Leave)
}

/// Returns the length of the last step before a press, from the last other position of the mouse.
///
/// `None` if the mouse was seen in no other position, where it may have rested, and if the step combines several that a busy
/// page did not receive one by one.
fn last_step(positions: &[&PointerEvent], down: &PointerEvent) -> Option<f64> {
    let index = positions
        .iter()
        .position(|event| std::ptr::eq(*event, down))?;
    let from = positions[..index]
        .iter()
        .rposition(|event| event.distance(down) >= 100.0)?;
    let is_coalesced = positions[from + 1].coalesced.is_some_and(|count| count > 1);
    (!is_coalesced).then(|| positions[from].distance(down))
}

/// Matches if a press had no hold.
pub(super) fn zero_hold(facts: &CheckFacts) -> Option<String> {
    if has_coarse_clock(facts) {
        return None;
    }
    let holds = facts.mouse_presses().filter_map(|(press, _)| press.hold());
    let hold = holds
        .filter(|hold| (0..=MAX_ZERO_HOLD).contains(hold))
        .min()?;
    #[expect(clippy::cast_precision_loss, reason = "at most 20")]
    Some(format!("a press was held for {:.1} ms", hold as f64 / 10.0))
}

/// Matches if every press was at the exact centre of its target.
pub(super) fn exact_centre(facts: &CheckFacts) -> Option<String> {
    let mut presses = 0;
    for batch in facts.batches() {
        let (role, rectangle) = if batch.ctx.batch == 1 {
            (HitTarget::First, RectangleRole::First)
        } else {
            (HitTarget::Second, RectangleRole::Second)
        };
        let press = Press::find(&batch.pointer, role).filter(|press| !press.is_default_action());
        let Some(down) = press.and_then(|press| press.down) else {
            continue;
        };
        let rectangle = batch
            .layout
            .iter()
            .rfind(|target| target.role == rectangle && target.t <= down.t)?;
        if down.pointer != PointerType::Mouse || !down.trusted || !is_centre(down, rectangle) {
            return None;
        }
        presses += 1;
    }
    (presses > 0)
        .then(|| format!("{presses} of {presses} presses were on the centre of their target"))
}

/// Returns `true` within half a pixel of the centre, which may be between pixels.
fn is_centre(down: &PointerEvent, target: &Rectangle) -> bool {
    let near =
        |at: i64, from: i64, length: i64| (px(at) - px(from) - px(length) / 2.0).abs() <= 0.51;
    near(down.x, target.x, target.w) && near(down.y, target.y, target.h)
}

#[cfg(test)]
mod tests {
    use crate::testing::CheckBuilder;

    const ALL: [&str; 4] = ["zero_pressure", "teleport", "zero_hold", "exact_centre"];

    #[test]
    fn neither_a_hand_nor_a_key_trips_any() {
        for rule in ALL {
            assert_eq!(CheckBuilder::person().fires(rule), None, "{rule}");
            assert_eq!(CheckBuilder::keyboard().fires(rule), None, "{rule}");
        }
    }

    #[test]
    fn mouse_without_pressure_is_reported() {
        let mut draft = CheckBuilder::person();
        draft.all_rows(|_, row| row[9] = 0);
        assert!(draft.fires("zero_pressure").is_some());
        draft.all_rows(|_, row| (row[9], row[10]) = (0, 1));
        assert_eq!(draft.fires("zero_pressure"), None);
    }

    fn leaping(coalesced: i64) -> CheckBuilder {
        let mut draft = CheckBuilder::person();
        draft.second_rows(|rows| {
            drop(rows.drain(..30));
            rows[0][13] = coalesced;
        });
        draft
    }

    #[test]
    fn leap_between_presses_is_reported() {
        assert!(leaping(1).fires("teleport").is_some());
        let mut without_moves = CheckBuilder::person();
        without_moves.second_rows(|rows| drop(rows.drain(..31)));
        assert!(without_moves.fires("teleport").is_some(), "no move at all");
    }

    #[test]
    fn busy_page_causes_no_leap() {
        assert_eq!(leaping(3).fires("teleport"), None);
        let mut resting = leaping(1);
        resting.second_place = None;
        resting.first["pointer"] = resting.second["pointer"].clone();
        resting.second["pointer"] = serde_json::json!([]);
        assert_eq!(resting.fires("teleport"), None);
    }

    #[test]
    fn a_press_without_a_hold_is_seen() {
        let mut draft = CheckBuilder::person();
        draft.second_rows(|rows| {
            let down = rows.iter().find(|row| row[0] == 1).unwrap()[1];
            for row in rows.iter_mut().filter(|row| row[0] == 2 || row[0] == 6) {
                row[1] = down + 10;
            }
        });
        assert!(draft.fires("zero_hold").is_some());
    }

    #[test]
    fn the_centre_must_be_hit_by_every_press() {
        let mut draft = CheckBuilder::person();
        let to_centre = |row: &mut [i64; 16], centre: (i64, i64)| (row[2], row[3]) = centre;
        draft.second_rows(|rows| {
            for row in rows.iter_mut().filter(|row| row[0] != 0) {
                to_centre(row, (32_800, 34_900));
            }
        });
        assert_eq!(draft.fires("exact_centre"), None, "one of two presses");
        draft.all_rows(|_, row| {
            if row[0] != 0 {
                to_centre(
                    row,
                    if row[12] == 1 {
                        (21_600, 18_800)
                    } else {
                        (32_800, 34_900)
                    },
                );
            }
        });
        assert!(draft.fires("exact_centre").is_some());
    }

    #[test]
    fn untrusted_events_fire_no_mouse_rule() {
        let mut untrusted_events = CheckBuilder::person();
        let mut by_key = CheckBuilder::person();
        let odd = |row: &mut [i64; 16]| row[9] = 0;
        untrusted_events.all_rows(|_, row| {
            odd(row);
            row[11] &= !1;
        });
        by_key.all_rows(|_, row| {
            odd(row);
            row[11] &= 3;
        });
        for rule in ALL {
            assert_eq!(untrusted_events.fires(rule), None, "{rule}");
            assert_eq!(by_key.fires(rule), None, "{rule}");
        }
    }
}
