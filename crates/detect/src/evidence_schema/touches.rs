//! Touch points.

use super::fault::SchemaError;
use super::node::JsonValue;
use super::row::{DeltaRow, enum_index, exact_row, undo_deltas, value};
use voight_domain::check::Member;

/// Change of a touch point; times in tenths of a millisecond, lengths in hundredths of a CSS pixel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TouchPoint {
    /// Type of the change: 0 start, 1 move, 2 end, 3 cancel.
    pub kind: usize,
    /// Time in tenths of a millisecond.
    pub t: i64,
    /// `clientX`.
    pub x: i64,
    /// `clientY`.
    pub y: i64,
    /// Identifier of the finger.
    pub id: i64,
    /// `radiusX` and `radiusY`.
    pub radius: (i64, i64),
    /// `force` in thousandths.
    pub force: i64,
    /// `isTrusted`.
    pub trusted: bool,
}

impl DeltaRow for TouchPoint {
    type DeltaBase = [i64; 3];
    const MAX: usize = 400;
    const VALUES: &'static [Member] = &[
        value("kind", "The kind of event: touch, move, release or cancel."),
        value("dt", "The time of the event."),
        value("dx", "The horizontal position."),
        value("dy", "The vertical position."),
        value("id", "The number of the finger."),
        value("rx", "The width of the touch: fingers are wide."),
        value("ry", "The height of the touch."),
        value("force", "The pressure, if the screen measures it."),
        value("flags", "The browser's mark of real input."),
    ];

    fn row(node: JsonValue, before: &mut [i64; 3]) -> Result<Self, SchemaError> {
        let mut row = exact_row::<{ Self::VALUES.len() }>(node)?;
        undo_deltas(&mut row, [1, 2, 3], before);
        let [kind, t, x, y, id, rx, ry, force, flags] = row;
        Ok(Self {
            kind: enum_index(kind, 3, 0)?,
            t,
            x,
            y,
            id,
            radius: (rx, ry),
            force,
            trusted: flags & 1 != 0,
        })
    }
}
