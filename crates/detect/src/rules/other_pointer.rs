//! Moves of one pointer before a press of another.

use crate::evidence_schema::{PointerEvent, PointerKind, PointerType};
use crate::facts::CheckFacts;
use crate::movement::ENOUGH_MOVES;
use crate::press::Press;

/// Matches if a pointer pressed without moves of its own type after another pointer had moved.
///
/// The pressing pointer may be a pen, a mouse or of unknown type. A click that counts a press which no pointer made matches
/// too. A finger moves nothing before it touches, so its presses are ignored. Presses without any move are ignored as well:
/// the pointer may have rested, or may be a pen without hover detection.
pub(super) fn other_pointer_moved(facts: &CheckFacts) -> Option<String> {
    facts
        .presses()
        .filter(|press| press.event.trusted)
        .find_map(|press| seen(&press))
}

fn seen(press: &Press<'_>) -> Option<String> {
    match press.down {
        Some(down) if down.pointer != PointerType::Touch => unmoved(press, down),
        Some(_) => None,
        None => uncaused(press),
    }
}

/// Matches if the moves before the press are those of another pointer.
fn unmoved(press: &Press<'_>, down: &PointerEvent) -> Option<String> {
    let (own, other): (Vec<_>, Vec<_>) =
        moves(press).partition(|event| event.pointer == down.pointer);
    let has_few_moves = match down.pointer {
        // A pen may come into hover range just above its target.
        PointerType::Pen => own.is_empty() && !other.is_empty(),
        _ => own.len() < ENOUGH_MOVES && other.len() >= ENOUGH_MOVES,
    };
    let moving_pointer = other.first()?.pointer;
    has_few_moves.then(|| {
        format!(
            "{} pressed after {} moves of {}",
            name(down.pointer),
            other.len(),
            name(moving_pointer)
        )
    })
}

/// Matches if the click counts presses, but no pointer went down.
///
/// A touch beside the target has another role, but counts as a press.
fn uncaused(press: &Press<'_>) -> Option<String> {
    let counts_press = press.event.kind == PointerKind::Click && press.event.detail > 0;
    let has_down = press
        .events
        .iter()
        .any(|event| event.kind == PointerKind::Down);
    let moves = moves(press).count();
    (counts_press && !has_down && moves >= ENOUGH_MOVES)
        .then(|| format!("a click counts a press, but nothing was pressed after {moves} moves"))
}

/// Returns the moves of pointers other than touch, which does not move before it presses.
fn moves<'a>(press: &Press<'a>) -> impl Iterator<Item = &'a PointerEvent> + use<'a> {
    press
        .events
        .iter()
        .filter(|event| event.kind == PointerKind::Move && event.pointer != PointerType::Touch)
}

const fn name(pointer: PointerType) -> &'static str {
    match pointer {
        PointerType::Mouse => "a mouse",
        PointerType::Pen => "a pen",
        PointerType::Touch => "a finger",
        PointerType::Other => "an unknown pointer",
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::CheckBuilder;

    const RULE: &str = "other_pointer_moved";

    #[test]
    fn press_by_moving_pointer_fires_no_rule() {
        assert_eq!(CheckBuilder::person().fires(RULE), None);
        assert_eq!(CheckBuilder::keyboard().fires(RULE), None);
        let mut pen = CheckBuilder::person();
        pen.all_rows(|_, row| row[10] = 1);
        assert_eq!(pen.fires(RULE), None);
    }

    #[test]
    fn the_reason_names_both_pointers() {
        let mut draft = CheckBuilder::person();
        draft.all_rows(|_, row| row[10] = i64::from(row[0] != 0));
        assert_eq!(
            draft.fires(RULE).as_deref(),
            Some("a pen pressed after 31 moves of a mouse")
        );
    }

    #[test]
    fn hovering_pen_fires_no_rule() {
        let mut pen = CheckBuilder::person();
        pen.all_rows(|at, row| row[10] = i64::from(row[0] != 0 || at >= 29));
        assert_eq!(pen.fires(RULE), None);
        let mut resting = CheckBuilder::person();
        resting.second_rows(|rows| drop(rows.drain(..31)));
        assert_eq!(resting.fires(RULE), None);
    }

    #[test]
    fn untrusted_press_has_its_own_rule() {
        let mut draft = CheckBuilder::person();
        draft.all_rows(|_, row| (row[10], row[11]) = (i64::from(row[0] != 0), row[11] & !1));
        assert_eq!(draft.fires(RULE), None);
    }
}
