//! Changes of focus and of the page's visibility.

use super::fault::SchemaError;
use super::node::JsonValue;
use super::pointer::{HitTarget, ROLES};
use super::row::{DeltaRow, enum_index, exact_row, undo_deltas, value};
use voight_domain::check::Member;

/// Change of focus.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FocusChange {
    /// `true` if the focus was lost.
    pub blur: bool,
    /// Time in tenths of a millisecond.
    pub t: i64,
    /// Element that gained or lost the focus.
    pub role: HitTarget,
}

impl DeltaRow for FocusChange {
    type DeltaBase = [i64; 1];
    const MAX: usize = 100;
    const VALUES: &'static [Member] = &[
        value(
            "kind",
            "A change of the focus, got or lost: keyboards and screen readers move it, programs often do not.",
        ),
        value("dt", "The time of the event."),
        value(
            "role",
            "The place of the event: the page, a target or another button.",
        ),
    ];

    fn row(node: JsonValue, before: &mut [i64; 1]) -> Result<Self, SchemaError> {
        let mut row = exact_row::<{ Self::VALUES.len() }>(node)?;
        undo_deltas(&mut row, [1], before);
        Ok(Self {
            blur: enum_index(row[0], 1, 0)? == 1,
            t: row[1],
            role: ROLES[enum_index(row[2], 3, 2)?],
        })
    }
}

/// Change of the page's visibility.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct VisibilityChange {
    /// Time in tenths of a millisecond.
    pub t: i64,
    /// `true` if the page was hidden.
    pub hidden: bool,
}

impl DeltaRow for VisibilityChange {
    type DeltaBase = [i64; 1];
    const MAX: usize = 50;
    const VALUES: &'static [Member] = &[
        value("dt", "The time of the event."),
        value(
            "hidden",
            "The window was hidden or shown: a visitor cannot press a hidden window.",
        ),
    ];

    fn row(node: JsonValue, before: &mut [i64; 1]) -> Result<Self, SchemaError> {
        let mut row = exact_row::<{ Self::VALUES.len() }>(node)?;
        undo_deltas(&mut row, [0], before);
        Ok(Self {
            t: row[0],
            hidden: enum_index(row[1], 1, 1)? == 1,
        })
    }
}
