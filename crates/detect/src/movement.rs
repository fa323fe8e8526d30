//! The ways of a pointer to its presses, as shapes: what the behaviour model judges and what traces are made of.

use crate::facts::CheckFacts;
use crate::press::Press;
use crate::wire::{EvidenceDocument, PointerEvent, PointerKind, PointerType};

/// Moves, each a step from the one before, without which the model cannot judge a movement.
pub(crate) const ENOUGH_MOVES: usize = 8;
/// Hardly a frame of a screen, in tenths of a millisecond.
const FRAME: u64 = 150;
/// In hundredths of a CSS pixel.
const STEP: f64 = 300.0;

/// Where a pointer was, and when.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Point {
    /// In milliseconds, from any moment on.
    pub t: f64,
    /// In CSS pixels, to the right.
    pub x: f64,
    /// In CSS pixels, down.
    pub y: f64,
}

/// One way of a pointer to a press.
#[derive(Debug, Clone, PartialEq)]
pub struct Movement {
    /// What pointed.
    pub pointer: PointerType,
    /// Where it was, in the order of the events; the last is the press.
    pub points: Vec<Point>,
}

/// The movements that end in a press of a pointer, one for each press.
pub(crate) fn movements(facts: &CheckFacts) -> Vec<Movement> {
    facts.presses().filter_map(|press| movement_to_press(&press)).collect()
}

/// The movement to the press in a batch, and for how many milliseconds the pointer was down then, if it came up: what a
/// recording keeps. `None` if no pointer pressed.
pub fn movement_of_batch(batch: &EvidenceDocument) -> Option<(Movement, Option<f64>)> {
    let press = Press::in_batch(batch)?;
    let held = press.down.zip(press.up()).map(|(down, up)| point(up).t - point(down).t);
    Some((movement_to_press(&press)?, held))
}

/// The moves of the pointer that pressed, since the press before or the beginning of the batch. Where a press before leaves
/// too few of them to judge, as a double click does, the way to that press belongs to the movement, too.
fn movement_to_press(press: &Press<'_>) -> Option<Movement> {
    let down = press.down?;
    let until = press.events.iter().position(|event| std::ptr::eq(event, down))?;
    let is_move = |event: &PointerEvent| event.kind == PointerKind::Move && event.pointer == down.pointer;
    let is_press = |event: &PointerEvent| event.kind == PointerKind::Down && event.pointer == down.pointer;
    let (mut steps, mut last) = (0, down);
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
    // Where it was pressed on the way it was, too.
    let was_there = |event: &&PointerEvent| is_move(event) || is_press(event);
    let way = press.events[from..until].iter().filter(was_there);
    Some(Movement { pointer: down.pointer, points: way.chain([down]).map(point).collect() })
}

/// Returns `true` if two events are as far apart, in frames and pixels, as the steps that the model looks at.
fn is_step(one: &PointerEvent, other: &PointerEvent) -> bool {
    one.t.abs_diff(other.t) >= FRAME && one.distance(other) >= STEP
}

#[expect(clippy::cast_precision_loss, reason = "screens are small, and checks short")]
fn point(event: &PointerEvent) -> Point {
    Point { t: event.t as f64 / 10.0, x: event.x as f64 / 100.0, y: event.y as f64 / 100.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::CheckBuilder;

    #[test]
    fn each_press_of_a_pointer_ends_a_movement() {
        let found = movements(&CheckBuilder::person().facts());
        assert_eq!(found.len(), 2);
        for movement in &found {
            assert_eq!(movement.pointer, PointerType::Mouse);
            assert!(movement.points.len() > 20);
            assert!(movement.points.windows(2).all(|pair| pair[0].t <= pair[1].t));
        }
        let press = found[0].points.last().unwrap();
        assert!((press.x - 210.0).abs() < 1.0 && (press.y - 181.0).abs() < 1.0, "{press:?}");
    }

    #[test]
    fn a_batch_is_recorded_as_it_is_judged() {
        let draft = CheckBuilder::person();
        let (movement, held) = movement_of_batch(&draft.first_batch()).unwrap();
        assert_eq!(movement, movements(&draft.facts())[0]);
        assert!(held.is_some_and(|held| held > 20.0), "{held:?}");
        assert!(movement_of_batch(&CheckBuilder::keyboard().first_batch()).is_none());
    }

    #[test]
    fn a_press_by_key_ends_none() {
        assert!(movements(&CheckBuilder::keyboard().facts()).is_empty());
    }
}
