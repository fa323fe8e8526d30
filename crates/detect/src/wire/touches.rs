//! Touch points.

use super::fault::SchemaError;
use super::node::JsonValue;
use super::row::{DeltaRow, enum_index, undo_deltas, value, whole_row};
use voight_domain::check::Member;

/// One change of a touch point; times in tenths of a millisecond, lengths in hundredths of a CSS pixel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TouchPoint {
    /// 0 start, 1 move, 2 end, 3 cancel.
    pub kind: usize,
    /// When.
    pub t: i64,
    /// `clientX`.
    pub x: i64,
    /// `clientY`.
    pub y: i64,
    /// Which finger.
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
        value("kind", "Whether a finger came, moved, left or was taken away."),
        value("dt", "When that happened."),
        value("dx", "How far to the right."),
        value("dy", "How far down."),
        value("id", "Which finger of several."),
        value("rx", "How wide it touches: fingers are wide."),
        value("ry", "How high it touches."),
        value("force", "How hard it presses, where the screen feels that."),
        value("flags", "Whether the browser vouches for it."),
    ];

    fn row(node: JsonValue, before: &mut [i64; 3]) -> Result<Self, SchemaError> {
        let mut row = whole_row::<{ Self::VALUES.len() }>(node)?;
        undo_deltas(&mut row, [1, 2, 3], before);
        let [kind, t, x, y, id, rx, ry, force, flags] = row;
        Ok(Self { kind: enum_index(kind, 3, 0)?, t, x, y, id, radius: (rx, ry), force, trusted: flags & 1 != 0 })
    }
}
