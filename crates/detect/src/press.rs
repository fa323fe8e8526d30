//! Press of a target: its click, and the pointer that made it.

use crate::evidence_schema::{EvidenceDocument, HitTarget, PointerEvent, PointerKind};

/// Longest hold, in tenths of a millisecond, that is too short for a finger.
pub(crate) const MAX_ZERO_HOLD: i64 = 20;
/// Longest hold of an element's default action, in tenths of a millisecond.
///
/// The browser creates its events one after the other, which takes a busy page some milliseconds.
const DEFAULT_ACTION: i64 = 200;

/// Last press of a target in a list of events; a press by a pointer takes precedence.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Press<'a> {
    /// Click, or the pointer going down if no click followed.
    pub(crate) event: &'a PointerEvent,
    /// Pointer going down, if a pointer made the press. A key, a switch or a screen reader clicks without one.
    pub(crate) down: Option<&'a PointerEvent>,
    /// Events up to the press, the click included.
    pub(crate) events: &'a [PointerEvent],
}

impl<'a> Press<'a> {
    /// Returns the press of a batch: of the first target in the first batch, of the second in the second.
    pub(crate) fn in_batch(batch: &'a EvidenceDocument) -> Option<Self> {
        Self::find(
            &batch.pointer,
            if batch.ctx.batch == 1 {
                HitTarget::First
            } else {
                HitTarget::Second
            },
        )
    }

    /// Returns the last press of the target with `role`.
    pub(crate) fn find(events: &'a [PointerEvent], role: HitTarget) -> Option<Self> {
        let is_click =
            |event: &PointerEvent| event.kind == PointerKind::Click && event.role == role;
        let is_counted = |event: &PointerEvent| is_click(event) && event.detail > 0;
        let is_down = |event: &PointerEvent| event.kind == PointerKind::Down && event.role == role;
        // A click by a key after a click by a pointer is ignored: the target has disappeared by then.
        let click = events
            .iter()
            .rposition(is_counted)
            .or_else(|| events.iter().rposition(is_click));
        let until = &events[..=click.or_else(|| events.iter().rposition(is_down))?];
        let event = until.last()?;
        let by_key = event.kind == PointerKind::Click && event.detail == 0;
        let down = if by_key {
            None
        } else {
            until.iter().rfind(|event| is_down(event))
        };
        Some(Self {
            event,
            down,
            events: until,
        })
    }

    /// Returns the event of the pointer going up after it went down.
    pub(crate) fn up(&self) -> Option<&'a PointerEvent> {
        let down = self.down?;
        let later_events = self
            .events
            .iter()
            .rev()
            .take_while(|event| !std::ptr::eq(*event, down));
        later_events
            .filter(|event| event.kind == PointerKind::Up && event.pointer == down.pointer)
            .last()
    }

    /// Returns the duration of the press, in tenths of a millisecond.
    pub(crate) fn hold(&self) -> Option<i64> {
        Some(self.up()?.t.saturating_sub(self.down?.t))
    }

    /// Returns `true` if the press may be an element's default action, which assistive technology triggers.
    ///
    /// A browser shows the page a default action as a press without a move or pressure, and with a hold near zero. Its click
    /// still
    /// has the button down (measured in Chromium 156); the click of a press that a driver sends through the browser's input
    /// has
    /// released it.
    pub(crate) fn is_default_action(&self) -> bool {
        let without_pressure = self.down.is_some_and(|down| down.pressure == 0);
        let without_hold = self
            .hold()
            .is_some_and(|hold| (0..=DEFAULT_ACTION).contains(&hold));
        let with_button = self.event.kind == PointerKind::Click && self.event.buttons & 1 == 1;
        without_pressure
            && without_hold
            && with_button
            && self
                .events
                .iter()
                .all(|event| event.kind != PointerKind::Move)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{batch, click, event};

    #[test]
    fn click_by_key_has_no_pointer() {
        let rows = [event(1, 100, 50, 50), click(9000, 50, 50, 0, 1)];
        let batch = batch(1, &rows);
        let press = Press::find(&batch.pointer, HitTarget::First).unwrap();
        assert!(press.down.is_none() && press.up().is_none());
        assert!(Press::find(&batch.pointer, HitTarget::Second).is_none());
    }

    #[test]
    fn pointer_click_has_down_and_up() {
        let rows = [
            event(1, 100, 50, 50),
            event(2, 1000, 50, 50),
            click(1000, 50, 50, 1, 1),
        ];
        let batch = batch(1, &rows);
        let press = Press::find(&batch.pointer, HitTarget::First).unwrap();
        assert_eq!((press.down.unwrap().t, press.up().unwrap().t), (100, 1000));
    }

    /// Returns the events of an instant press, as the accessibility bus and a driver create them.
    fn sent(buttons_at_click: i64) -> Vec<[i64; 16]> {
        let mut rows = vec![
            event(1, 100, 50, 50),
            event(2, 105, 50, 50),
            click(105, 50, 50, 1, 1),
        ];
        rows[0][9] = 0;
        rows[2][8] = buttons_at_click;
        rows
    }

    fn is_default_action(rows: &[[i64; 16]]) -> bool {
        Press::find(&batch(1, rows).pointer, HitTarget::First)
            .unwrap()
            .is_default_action()
    }

    #[test]
    fn default_action_holds_its_button() {
        assert!(is_default_action(&sent(1)));
        assert!(!is_default_action(&sent(0)), "a driver's press");
        let mut with_move = sent(1);
        with_move.insert(0, event(0, 90, 50, 50));
        assert!(!is_default_action(&with_move));
        let mut long_hold = sent(1);
        (long_hold[1][1], long_hold[2][1]) = (400, 400);
        assert!(!is_default_action(&long_hold));
        let mut with_pressure = sent(1);
        with_pressure[0][9] = 500;
        assert!(!is_default_action(&with_pressure));
    }
}
