//! Synthetic evidence of a person's browser.

use serde_json::{Value, json};

/// Stage in the viewport, and size of a target, in hundredths of a pixel.
const STAGE: [i64; 4] = [2_000, 8_000, 39_200, 42_400];
const TARGET: [i64; 2] = [12_000, 5_200];

/// Creates a batch: the pointer path to a target at these fractions of the stage, its press, and the rendered layout.
pub fn batch(number: u8, context: &str, address: &str, (x, y): (f64, f64), start: i64) -> Value {
    let role = if number == 1 { "first" } else { "second" };
    let corner = [
        interpolate(STAGE[0], STAGE[2] - TARGET[0], x),
        interpolate(STAGE[1], STAGE[3] - TARGET[1], y),
    ];
    json!({
        "v": 1,
        "ctx": {"contextId": context, "address": address, "batch": number, "clientVersion": "1"},
        "clock": {"timeOrigin": 1_795_255_200_000_i64, "load": 0, "submit": start + 9_000},
        "pointer": press(start, [corner[0] + TARGET[0] / 2, corner[1] + TARGET[1] / 2], i64::from(number)),
        "layout": [
            {"role": "stage", "t": start, "x": STAGE[0], "y": STAGE[1], "w": STAGE[2], "h": STAGE[3]},
            {"role": role, "t": start, "x": corner[0], "y": corner[1], "w": TARGET[0], "h": TARGET[1]},
        ],
    })
}

#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    reason = "small numbers of a test"
)]
fn interpolate(start: i64, room: i64, fraction: f64) -> i64 {
    start + (room as f64 * fraction).round() as i64
}

/// Creates twenty-four moves towards a position, then down, up and click on it.
fn press(start: i64, to: [i64; 2], role: i64) -> Value {
    let from = [to[0] - 9_000, to[1] + 5_000];
    let mut rows: Vec<[i64; 6]> = Vec::new();
    for n in 0..24 {
        let part = n * n * (69 - 2 * n);
        let place = |axis: usize| from[axis] + (to[axis] - from[axis]) * part / 12_167;
        rows.push([0, start + 163 * n + 7 * (n % 3), place(0), place(1), 0, 0]);
    }
    let end = start + 6_000;
    rows.push([1, end, to[0], to[1], role, 3]);
    rows.push([2, end + 870, to[0], to[1], role, 3]);
    rows.push([6, end + 871, to[0], to[1], role, 7]);
    let mut last_values = [0; 3];
    let mut rows_sent = Vec::new();
    for [kind, t, x, y, role, flags] in rows {
        let dt = t - last_values[0];
        let dx = x - last_values[1];
        let dy = y - last_values[2];
        let flags = if flags == 0 { 3 } else { flags };
        let buttons = i64::from(kind == 1);
        let pressure = if kind == 1 { 500 } else { 0 };
        rows_sent.push(json!([
            kind,
            dt,
            dx,
            dy,
            dx,
            dy,
            0,
            0,
            buttons,
            pressure,
            0,
            flags,
            role,
            1,
            0,
            40,
            []
        ]));
        last_values = [t, x, y];
    }
    Value::Array(rows_sent)
}
