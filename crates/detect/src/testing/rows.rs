//! Pointer rows that resemble a hand's.

use crate::evidence_schema::EvidenceDocument;
use serde_json::{Value, json};

/// Returns a row of 16 integers with absolute values; any event but a move is on the first target.
pub(crate) fn event(kind: i64, t: i64, x: i64, y: i64) -> [i64; 16] {
    let x = x * 100;
    let y = y * 100;
    let pressure = if kind == 1 { 500 } else { 0 };
    let coalesced_events = if kind == 0 { 1 + (t / 10) % 3 } else { 0 };
    let role = i64::from(kind != 0);
    [
        kind,
        t,
        x,
        y,
        x + 30_000,
        y + 20_000,
        0,
        0,
        i64::from(kind == 1),
        pressure,
        0,
        3,
        role,
        coalesced_events,
        0,
        40,
    ]
}

pub(crate) fn click(t: i64, x: i64, y: i64, detail: i64, role: i64) -> [i64; 16] {
    let mut row = event(6, t, x, y);
    row[11] |= detail << 2;
    row[12] = role;
    row[10] = if detail == 0 { 3 } else { 0 };
    row
}

/// Encodes rows with deltas, as in the wire format.
pub(crate) fn encode(rows: &[[i64; 16]]) -> Value {
    let mut row_before = [0; 16];
    let mut out = Vec::new();
    for row in rows {
        let mut values: Vec<Value> = (0..16)
            .map(|at| {
                json!(if (1..=5).contains(&at) {
                    row[at] - row_before[at]
                } else {
                    row[at]
                })
            })
            .collect();
        values.push(json!([]));
        out.push(Value::Array(values));
        row_before = *row;
    }
    Value::Array(out)
}

pub(crate) fn batch(number: u8, rows: &[[i64; 16]]) -> EvidenceDocument {
    let ctx = json!({"contextId": "c", "address": "a", "batch": number, "clientVersion": "1"});
    let body = json!({"v": 1, "ctx": ctx, "pointer": encode(rows)});
    EvidenceDocument::read(body.to_string().as_bytes()).unwrap()
}

/// Returns a hand's path to a press: moves at 60 Hz on a grid of whole milliseconds.
pub(crate) fn path(start: i64, from: (i64, i64), to: (i64, i64), role: i64) -> Vec<[i64; 16]> {
    let mut rows = Vec::new();
    let steps = 30;
    for n in 0..=steps {
        // Minimum jerk with a bend, so that steps shrink towards the target.
        let s = n * n * (3 * steps - 2 * n);
        let of = |a: i64, b: i64| a + (b - a) * s / (steps * steps * steps);
        rows.push(event(
            0,
            start + 160 * n + 10 * (n % 3),
            of(from.0, to.0),
            of(from.1, to.1) + n * (steps - n) / 20,
        ));
    }
    let end = start + 160 * steps + 1200;
    rows.push(event(1, end, to.0, to.1));
    rows.push(event(2, end + 870, to.0, to.1));
    rows.push(click(end + 870, to.0, to.1, 1, role));
    for row in rows.iter_mut().filter(|row| row[0] != 0) {
        row[12] = role;
    }
    rows
}
