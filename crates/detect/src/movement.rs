//! Pointer movements to presses, as input of the behaviour model and of movement fingerprints.

use crate::evidence_schema::{EvidenceDocument, PointerEvent, PointerKind, PointerType};
use crate::facts::CheckFacts;
use crate::press::Press;

/// Minimum number of distinct moves that the model needs to judge a movement.
pub(crate) const ENOUGH_MOVES: usize = 8;
/// Minimum time between two moves, in tenths of a millisecond: slightly less than a frame.
const FRAME: u64 = 150;
/// Minimum distance between two moves, in hundredths of a CSS pixel.
const STEP: f64 = 300.0;

/// Position of a pointer at a time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Point {
    /// Time in milliseconds, from an arbitrary origin.
    pub t: f64,
    /// Horizontal position in CSS pixels, to the right.
    pub x: f64,
    /// Vertical position in CSS pixels, down.
    pub y: f64,
}

/// Movement of a pointer to a press.
#[derive(Debug, Clone, PartialEq)]
pub struct Movement {
    /// Type of the pointer.
    pub pointer: PointerType,
    /// Positions in the order of the events; the last is the press.
    pub points: Vec<Point>,
}

/// Returns the movements that end in a press of a pointer, one for each press.
pub(crate) fn movements(facts: &CheckFacts) -> Vec<Movement> {
    facts
        .presses()
        .filter_map(|press| movement_to_press(&press))
        .collect()
}

/// Returns the movement to the press in a batch, and the hold in milliseconds if the pointer came up.
///
/// Recordings store both. `None` if no pointer pressed.
pub fn movement_of_batch(batch: &EvidenceDocument) -> Option<(Movement, Option<f64>)> {
    let press = Press::in_batch(batch)?;
    let hold_time = press
        .down
        .zip(press.up())
        .map(|(down, up)| point(up).t - point(down).t);
    Some((movement_to_press(&press)?, hold_time))
}

/// Returns the moves of the pointer that pressed, since the previous press or the beginning of the batch.
///
/// If a previous press leaves too few of them to judge, as a double click does, the moves before that press are included.
fn movement_to_press(press: &Press<'_>) -> Option<Movement> {
    let down = press.down?;
    let until = press
        .events
        .iter()
        .position(|event| std::ptr::eq(event, down))?;
    let is_move =
        |event: &PointerEvent| event.kind == PointerKind::Move && event.pointer == down.pointer;
    let is_press =
        |event: &PointerEvent| event.kind == PointerKind::Down && event.pointer == down.pointer;
    let mut steps = 0;
    let mut last = down;
    let mut from = 0;
    for (at, event) in press.events[..until].iter().enumerate().rev() {
        if event.kind == PointerKind::Down && steps >= ENOUGH_MOVES {
            from = at + 1;
            break;
        }
        if is_move(event) && is_step(event, last) {
            (steps, last) = (steps + 1, event);
        }
    }
    // A press on the path is also a position of the path.
    let was_there = |event: &&PointerEvent| is_move(event) || is_press(event);
    let way = press.events[from..until].iter().filter(was_there);
    Some(Movement {
        pointer: down.pointer,
        points: way.chain([down]).map(point).collect(),
    })
}

/// Returns `true` if two events are at least as far apart, in time and distance, as a step of the model.
fn is_step(one: &PointerEvent, other: &PointerEvent) -> bool {
    one.t.abs_diff(other.t) >= FRAME && one.distance(other) >= STEP
}

#[expect(
    clippy::cast_precision_loss,
    reason = "screens are small, and checks short"
)]
fn point(event: &PointerEvent) -> Point {
    Point {
        t: event.t as f64 / 10.0,
        x: event.x as f64 / 100.0,
        y: event.y as f64 / 100.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::CheckBuilder;

    #[test]
    fn each_press_of_a_pointer_ends_a_movement() {
        let presses = movements(&CheckBuilder::person().facts());
        assert_eq!(presses.len(), 2);
        for movement in &presses {
            assert_eq!(movement.pointer, PointerType::Mouse);
            assert!(movement.points.len() > 20);
            assert!(
                movement
                    .points
                    .windows(2)
                    .all(|pair| pair[0].t <= pair[1].t)
            );
        }
        let press = presses[0].points.last().unwrap();
        assert!(
            (press.x - 210.0).abs() < 1.0 && (press.y - 181.0).abs() < 1.0,
            "{press:?}"
        );
    }

    #[test]
    fn recorded_batch_equals_the_evaluated_one() {
        let draft = CheckBuilder::person();
        let (movement, hold_time) = movement_of_batch(&draft.first_batch()).unwrap();
        assert_eq!(movement, movements(&draft.facts())[0]);
        assert!(
            hold_time.is_some_and(|hold_time| hold_time > 20.0),
            "{hold_time:?}"
        );
        assert!(movement_of_batch(&CheckBuilder::keyboard().first_batch()).is_none());
    }

    #[test]
    fn a_press_by_key_ends_none() {
        assert!(movements(&CheckBuilder::keyboard().facts()).is_empty());
    }
}
