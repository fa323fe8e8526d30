//! Where the focus went, and whether the page was visible.

use super::fault::SchemaError;
use super::node::JsonValue;
use super::pointer::{HitTarget, ROLES};
use super::row::{DeltaRow, enum_index, undo_deltas, value, whole_row};
use voight_domain::check::Member;

/// The focus came or went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FocusChange {
    /// Whether it went.
    pub blur: bool,
    /// When.
    pub t: i64,
    /// On what.
    pub role: HitTarget,
}

impl DeltaRow for FocusChange {
    type DeltaBase = [i64; 1];
    const MAX: usize = 100;
    const VALUES: &'static [Member] = &[
        value("kind", "Whether the focus came or went: keyboards and readers move it, programs often don't."),
        value("dt", "When that happened."),
        value("role", "Whether on the page, a target or another button."),
    ];

    fn row(node: JsonValue, before: &mut [i64; 1]) -> Result<Self, SchemaError> {
        let mut row = whole_row::<{ Self::VALUES.len() }>(node)?;
        undo_deltas(&mut row, [1], before);
        Ok(Self { blur: enum_index(row[0], 1, 0)? == 1, t: row[1], role: ROLES[enum_index(row[2], 3, 2)?] })
    }
}

/// The page was shown or hidden.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct VisibilityChange {
    /// When.
    pub t: i64,
    /// Whether it was hidden.
    pub hidden: bool,
}

impl DeltaRow for VisibilityChange {
    type DeltaBase = [i64; 1];
    const MAX: usize = 50;
    const VALUES: &'static [Member] = &[
        value("dt", "When that happened."),
        value("hidden", "Whether the window was hidden or shown: nobody presses what is hidden."),
    ];

    fn row(node: JsonValue, before: &mut [i64; 1]) -> Result<Self, SchemaError> {
        let mut row = whole_row::<{ Self::VALUES.len() }>(node)?;
        undo_deltas(&mut row, [0], before);
        Ok(Self { t: row[0], hidden: enum_index(row[1], 1, 1)? == 1 })
    }
}
