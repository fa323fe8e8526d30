//! The press of a target: which click it was, and whether a pointer made it.

use crate::wire::{EvidenceDocument, HitTarget, PointerEvent, PointerKind};

/// The longest hold, in tenths of a millisecond, that no finger does.
pub(crate) const MAX_ZERO_HOLD: i64 = 20;
/// The longest hold, in tenths of a millisecond, of an element's default action: the browser makes its events one after the
/// other, which takes a busy page some milliseconds.
const DEFAULT_ACTION: i64 = 200;

/// The last press of a target in a list of events: the last by a pointer, if one pressed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Press<'a> {
    /// The click, or the pointer going down where no click followed.
    pub(crate) event: &'a PointerEvent,
    /// The pointer going down, if a pointer made it. A key, a switch or a screen reader clicks without one.
    pub(crate) down: Option<&'a PointerEvent>,
    /// The events before and at the press, the click included.
    pub(crate) events: &'a [PointerEvent],
}

impl<'a> Press<'a> {
    /// The press of a batch: of the first target in the first batch, of the second in the second.
    pub(crate) fn in_batch(batch: &'a EvidenceDocument) -> Option<Self> {
        Self::find(&batch.pointer, if batch.ctx.batch == 1 { HitTarget::First } else { HitTarget::Second })
    }

    /// The last press of the target with `role`.
    pub(crate) fn find(events: &'a [PointerEvent], role: HitTarget) -> Option<Self> {
        let is_click = |event: &PointerEvent| event.kind == PointerKind::Click && event.role == role;
        let is_counted = |event: &PointerEvent| is_click(event) && event.detail > 0;
        let is_down = |event: &PointerEvent| event.kind == PointerKind::Down && event.role == role;
        // A key that clicks after a pointer did takes nothing back: the target is gone by then.
        let click = events.iter().rposition(is_counted).or_else(|| events.iter().rposition(is_click));
        let until = &events[..=click.or_else(|| events.iter().rposition(is_down))?];
        let event = until.last()?;
        let by_key = event.kind == PointerKind::Click && event.detail == 0;
        let down = if by_key { None } else { until.iter().rfind(|event| is_down(event)) };
        Some(Self { event, down, events: until })
    }

    /// The pointer coming up after it went down.
    pub(crate) fn up(&self) -> Option<&'a PointerEvent> {
        let down = self.down?;
        let after = self.events.iter().rev().take_while(|event| !std::ptr::eq(*event, down));
        after.filter(|event| event.kind == PointerKind::Up && event.pointer == down.pointer).last()
    }

    /// How long the pointer was down, in tenths of a millisecond.
    pub(crate) fn hold(&self) -> Option<i64> {
        Some(self.up()?.t.saturating_sub(self.down?.t))
    }

    /// Whether it may be an element's default action, by which aids press for those who use no pointer: a browser shows that
    /// to the page as a press without a move or pressure, and with hardly a hold. Its click still has the button down
    /// (measured in Chromium 156); that of a press which a driver sends through the browser's input has let it go.
    pub(crate) fn is_default_action(&self) -> bool {
        let without_pressure = self.down.is_some_and(|down| down.pressure == 0);
        let without_hold = self.hold().is_some_and(|hold| (0..=DEFAULT_ACTION).contains(&hold));
        let with_button = self.event.kind == PointerKind::Click && self.event.buttons & 1 == 1;
        without_pressure
            && without_hold
            && with_button
            && self.events.iter().all(|event| event.kind != PointerKind::Move)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{batch, click, event};

    #[test]
    fn a_click_by_key_has_no_pointer_even_after_a_press_that_slid_off() {
        let rows = [event(1, 100, 50, 50), click(9000, 50, 50, 0, 1)];
        let batch = batch(1, &rows);
        let press = Press::find(&batch.pointer, HitTarget::First).unwrap();
        assert!(press.down.is_none() && press.up().is_none());
        assert!(Press::find(&batch.pointer, HitTarget::Second).is_none());
    }

    #[test]
    fn a_click_by_pointer_has_its_down_and_its_up() {
        let rows = [event(1, 100, 50, 50), event(2, 1000, 50, 50), click(1000, 50, 50, 1, 1)];
        let batch = batch(1, &rows);
        let press = Press::find(&batch.pointer, HitTarget::First).unwrap();
        assert_eq!((press.down.unwrap().t, press.up().unwrap().t), (100, 1000));
    }

    /// The events of a press at once, as the accessibility bus and a driver make them.
    fn sent(buttons_at_click: i64) -> Vec<[i64; 16]> {
        let mut rows = vec![event(1, 100, 50, 50), event(2, 105, 50, 50), click(105, 50, 50, 1, 1)];
        rows[0][9] = 0;
        rows[2][8] = buttons_at_click;
        rows
    }

    fn is_default_action(rows: &[[i64; 16]]) -> bool {
        Press::find(&batch(1, rows).pointer, HitTarget::First).unwrap().is_default_action()
    }

    #[test]
    fn a_default_action_keeps_its_button_until_the_click() {
        assert!(is_default_action(&sent(1)));
        assert!(!is_default_action(&sent(0)), "a driver's press");
        let mut moved = sent(1);
        moved.insert(0, event(0, 90, 50, 50));
        assert!(!is_default_action(&moved));
        let mut held = sent(1);
        (held[1][1], held[2][1]) = (400, 400);
        assert!(!is_default_action(&held));
        let mut pressed = sent(1);
        pressed[0][9] = 500;
        assert!(!is_default_action(&pressed));
    }
}
