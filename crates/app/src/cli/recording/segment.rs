//! Movement up to a press, as a line of a recording.

use serde::Serialize;
use serde_json::Value;
use voight_detect::evidence_schema::EvidenceDocument;
use voight_detect::{Point, movement_of_batch};

/// Source of a movement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub(super) struct RecordingSource<'a> {
    /// Name of the data set.
    pub(super) src: &'a str,
    /// Pseudonym of the visitor.
    pub(super) user: &'a str,
    /// Check in which the movement was made.
    pub(super) sess: &'a str,
    /// 0 for a person, 1 for a bot.
    pub(super) lab: u8,
    /// Tool that made the movement.
    pub(super) tool: &'a str,
}

/// Line of a movement. Times are whole milliseconds, lengths whole pixels; rows after the first are differences.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(super) struct MovementLine<'a> {
    #[serde(flatten)]
    origin: RecordingSource<'a>,
    /// Time from the first move to the press.
    press: i64,
    /// Time from the press to the release; `None` if the pointer was not released.
    #[serde(skip_serializing_if = "Option::is_none")]
    hold: Option<i64>,
    d: Vec<[i64; 3]>,
}

impl<'a> MovementLine<'a> {
    /// Reads the movement in a batch; `None` if the batch has none.
    pub(super) fn from_json(body: &Value, origin: RecordingSource<'a>) -> Option<Self> {
        let batch = EvidenceDocument::read(body.to_string().as_bytes()).ok()?;
        let (movement, hold) = movement_of_batch(&batch)?;
        let first = movement.points.first()?.t;
        let rows: Vec<[i64; 3]> = movement
            .points
            .iter()
            .map(|Point { t, x, y }| [t - first, *x, *y].map(round_to_i64))
            .collect();
        let press = rows.last()?[0];
        Some(Self {
            origin,
            press,
            hold: hold.map(round_to_i64),
            d: differences(&rows),
        })
    }
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "screens are small, and checks short"
)]
fn round_to_i64(value: f64) -> i64 {
    value.round() as i64
}

/// Returns the first row, then the difference of each row to the one before.
fn differences(rows: &[[i64; 3]]) -> Vec<[i64; 3]> {
    let steps = rows
        .windows(2)
        .map(|pair| std::array::from_fn(|at| pair[1][at] - pair[0][at]));
    rows.first().copied().into_iter().chain(steps).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    const ORIGIN: RecordingSource<'_> = RecordingSource {
        src: "voight",
        user: "ab",
        sess: "cd",
        lab: 0,
        tool: "human",
    };

    /// Builds a batch with two moves, the press and the release on the first target. Times are in 0.1 ms, lengths in 0.01 px,
    /// as differences.
    fn body() -> Value {
        let row = |kind: i64, t: i64, x: i64, y: i64, role: i64| {
            let flags = if kind == 6 { 7 } else { 3 };
            json!([
                kind,
                t,
                x,
                y,
                x,
                y,
                0,
                0,
                i64::from(kind == 1),
                0,
                0,
                flags,
                role,
                1,
                0,
                40,
                []
            ])
        };
        json!({
            "v": 1,
            "ctx": {"contextId": "recorded", "address": "recorded", "batch": 1, "clientVersion": "1"},
            "pointer": [
                row(0, 20_004, 1_000, 2_000, 0), row(0, 166, 550, -120, 0),
                row(1, 170, 40, 10, 1), row(2, 830, 0, 0, 1), row(6, 1, 0, 0, 1),
            ],
        })
    }

    #[test]
    fn a_movement_is_written_as_the_laboratory_reads_it() {
        let segment = MovementLine::from_json(&body(), ORIGIN).unwrap();
        let expected_line = json!({
            "src": "voight", "user": "ab", "sess": "cd", "lab": 0, "tool": "human",
            "press": 34, "hold": 83, "d": [[0, 10, 20], [17, 6, -1], [17, 0, 0]],
        });
        assert_eq!(serde_json::to_value(&segment).unwrap(), expected_line);
    }

    #[test]
    fn a_batch_without_a_press_of_a_pointer_has_no_movement() {
        let mut body = body();
        body["pointer"] = json!([]);
        assert_eq!(MovementLine::from_json(&body, ORIGIN), None);
        assert_eq!(MovementLine::from_json(&json!({}), ORIGIN), None);
    }
}
