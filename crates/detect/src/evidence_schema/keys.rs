//! Keys: when they went down and how long they were held, never which.

use super::fault::SchemaError;
use super::node::JsonValue;
use super::row::{DeltaRow, exact_row, undo_deltas, value};
use voight_domain::check::Member;

/// Key that went down.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KeyDown {
    /// Time in tenths of a millisecond.
    pub t: i64,
    /// Duration of the hold; `None` if the key was still down.
    pub hold: Option<i64>,
    /// `isTrusted`.
    pub trusted: bool,
    /// `true` if the key repeats because it is held.
    pub repeat: bool,
}

impl DeltaRow for KeyDown {
    type DeltaBase = [i64; 1];
    const MAX: usize = 200;
    const VALUES: &'static [Member] = &[
        value("dt", "The time at which a key was pressed."),
        value("hold", "The duration of the press."),
        value(
            "flags",
            "The browser's marks of real input and of a repetition while the key is held.",
        ),
    ];

    fn row(node: JsonValue, before: &mut [i64; 1]) -> Result<Self, SchemaError> {
        let mut row = exact_row::<{ Self::VALUES.len() }>(node)?;
        undo_deltas(&mut row, [0], before);
        let [t, hold, flags] = row;
        Ok(Self {
            t,
            hold: (hold >= 0).then_some(hold),
            trusted: flags & 1 != 0,
            repeat: flags & 2 != 0,
        })
    }
}
