//! Rows of pointer events in the wire format.

use serde_json::{Value, json};

/// Maximum number of rows of a batch; longer recordings keep their end, which leads to the press.
const MAX_ROWS: usize = 1200;

pub(super) const MOVE: usize = 0;
pub(super) const DOWN: usize = 1;
pub(super) const UP: usize = 2;
pub(super) const CLICK: usize = 6;
pub(super) const MOUSE: usize = 0;
pub(super) const TOUCH: usize = 2;

/// Pointer event: times in 0.1 ms, lengths in hundredths of a pixel.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct PointerRow {
    pub(super) kind: usize,
    pub(super) t: i64,
    /// Position within the document.
    pub(super) at: (i64, i64),
    /// Position on the screen.
    pub(super) on_screen: (i64, i64),
    pub(super) movement: (i64, i64),
    pub(super) buttons: i64,
    /// Pressure in thousandths.
    pub(super) pressure: i64,
    pub(super) pointer: usize,
    pub(super) flags: i64,
    pub(super) role: i64,
    /// Number of coalesced events; -1 if unknown.
    pub(super) coalesced: i64,
    /// Time until its handler ran.
    pub(super) latency: i64,
}

/// Encodes the rows as differences from the previous row.
pub(super) fn encode(rows: &[PointerRow]) -> Vec<Value> {
    let rows = &rows[rows.len().saturating_sub(MAX_ROWS)..];
    let previous_rows = std::iter::once(PointerRow::default()).chain(rows.iter().copied());
    rows.iter()
        .zip(previous_rows)
        .map(|(row, previous_rows)| encoded(row, &previous_rows))
        .collect()
}

fn encoded(row: &PointerRow, before: &PointerRow) -> Value {
    json!([
        row.kind,
        row.t - before.t,
        row.at.0 - before.at.0,
        row.at.1 - before.at.1,
        row.on_screen.0 - before.on_screen.0,
        row.on_screen.1 - before.on_screen.1,
        row.movement.0,
        row.movement.1,
        row.buttons,
        row.pressure,
        row.pointer,
        row.flags,
        row.role,
        row.coalesced,
        -1,
        row.latency,
        []
    ])
}
