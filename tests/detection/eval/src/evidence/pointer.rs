//! Recorded movements as the presses of a check, in a plain browser without a driver.
//!
//! Only the movements are from the recording: the same browser, delivery and presses surround those of people and of tools, so
//! that only their movement distinguishes them.

use super::row::{CLICK, DOWN, MOUSE, MOVE, PointerRow, TOUCH, UP, encode};
use super::{OPENED, SyntheticCheck, chromium, context, units};
use crate::corpus::pointer::RecordedMovement;
use anyhow::Result;
use serde_json::{Value, json};
use voight_detect::Point;

/// Time from the last move to the press, and duration of the press, in ms.
const PAUSE: f64 = 120.0;
const HOLD: f64 = 90.0;
/// Time from the load of the window to the first move, and from a press to the next move, in ms.
const REST: f64 = 400.0;
/// One of `BUNDLE` moves combines two, as measured of 60 Hz system-level input.
const BUNDLE: usize = 6;
/// Fraction of a millisecond that all events of a display server share, in 0.1 ms.
const FRACTION: i64 = 3;
/// Position of the window on the screen, in pixels.
const CORNER: f64 = 300.0;
/// `isTrusted` and `isPrimary`.
const TRUSTED: i64 = 3;
/// `detail` of one click.
const DETAIL: i64 = 1 << 2;

/// Rows of a movement and its press, with its final position and time.
struct PointerPath {
    rows: Vec<PointerRow>,
    end: Point,
}

/// Pointing device.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PointerKind {
    /// A mouse.
    Mouse,
    /// A finger.
    Touch,
}

/// Builds a check of one or two presses that end these movements. The second begins where the first ended.
pub fn check_from_movements(
    first: &RecordedMovement,
    second: Option<&RecordedMovement>,
    pointing: PointerKind,
) -> Result<SyntheticCheck> {
    let begin = first
        .points
        .first()
        .map_or((0.0, 0.0), |point| (point.x, point.y));
    let first = movement_path(
        &first.points,
        Point {
            t: REST,
            x: begin.0,
            y: begin.1,
        },
        1,
    );
    let later = Point {
        t: first.end.t + REST,
        ..first.end
    };
    let second = second.map_or(
        PointerPath {
            rows: Vec::new(),
            end: later,
        },
        |second| movement_path(&second.points, later, 2),
    );
    let mut opening = document(1, &first, pointing);
    opening["counts"] = counts(&[&first]);
    opening["env"] = chromium::environment();
    let mut closing = document(2, &second, pointing);
    closing["counts"] = counts(&[&first, &second]);
    closing["env"] = json!({"atSubmit": chromium::probe()});
    SyntheticCheck::new([opening, closing], &chromium::headers())
}

/// Returns the movement shifted to `start`, on the display server's grid of whole milliseconds.
fn movement_path(points: &[Point], start: Point, role: i64) -> PointerPath {
    let from = points.first().copied().unwrap_or(start);
    let translate = |point: &Point| Point {
        t: (point.t - from.t + start.t).round(),
        x: point.x - from.x + start.x,
        y: point.y - from.y + start.y,
    };
    let translated_points: Vec<Point> = points.iter().map(translate).collect();
    let last = translated_points.last().copied().unwrap_or(start);
    let previous_points = std::iter::once(&start).chain(&translated_points);
    let mut rows: Vec<PointerRow> = translated_points
        .iter()
        .zip(previous_points)
        .enumerate()
        .map(|(at, (point, previous_points))| moved(at, *point, *previous_points))
        .collect();
    let down = Point {
        t: last.t + PAUSE,
        ..last
    };
    let end = Point {
        t: down.t + HOLD,
        ..down
    };
    rows.push(PointerRow {
        kind: DOWN,
        buttons: 1,
        pressure: 500,
        role,
        ..event(down)
    });
    rows.push(PointerRow {
        kind: UP,
        role,
        ..event(end)
    });
    rows.push(PointerRow {
        kind: CLICK,
        role,
        flags: TRUSTED | DETAIL,
        ..event(end)
    });
    PointerPath { rows, end }
}

fn moved(at: usize, point: Point, before: Point) -> PointerRow {
    let coalesced_events = if at % BUNDLE == BUNDLE - 1 { 2 } else { 1 };
    let movement = (
        units(point.x - before.x, 100.0),
        units(point.y - before.y, 100.0),
    );
    PointerRow {
        kind: MOVE,
        movement,
        coalesced: coalesced_events,
        ..event(point)
    }
}

fn event(Point { t, x, y }: Point) -> PointerRow {
    PointerRow {
        t: units(t, 10.0) + FRACTION,
        at: (units(x, 100.0), units(y, 100.0)),
        on_screen: (units(x + CORNER, 100.0), units(y + CORNER, 100.0)),
        flags: TRUSTED,
        latency: 30 + units(t, 1.0) % 40,
        ..PointerRow::default()
    }
}

fn document(batch: u8, way: &PointerPath, pointing: PointerKind) -> Value {
    let pointer = if pointing == PointerKind::Touch {
        TOUCH
    } else {
        MOUSE
    };
    let rows: Vec<PointerRow> = way
        .rows
        .iter()
        .map(|row| PointerRow { pointer, ..*row })
        .collect();
    json!({
        "v": 1,
        "ctx": context(batch),
        "clock": {"timeOrigin": OPENED, "load": 0, "submit": units(way.end.t + REST / 2.0, 10.0)},
        "pointer": encode(&rows),
    })
}

/// Returns the event counters since the load of the window.
fn counts(ways: &[&PointerPath]) -> Value {
    let count = |kind: usize| {
        ways.iter()
            .flat_map(|way| &way.rows)
            .filter(|row| row.kind == kind)
            .count()
    };
    let moves = count(MOVE);
    json!({"move": moves, "raw": moves + moves / BUNDLE, "down": count(DOWN), "up": count(UP), "click": count(CLICK)})
}

#[cfg(test)]
mod tests {
    use super::*;
    use voight_detect::RuleAssessor;

    fn segment(by: f64) -> RecordedMovement {
        let point = |n: u32| Point {
            t: f64::from(n) * 17.0,
            x: (f64::from(n) * by).round(),
            y: f64::from(n % 7),
        };
        RecordedMovement {
            source: "s".to_owned(),
            user: "u".to_owned(),
            session: String::new(),
            human: true,
            tool: "human".to_owned(),
            points: (0..40).map(point).collect(),
        }
    }

    #[test]
    fn plain_browser_movement_is_evaluated() {
        let check =
            check_from_movements(&segment(9.0), Some(&segment(-4.0)), PointerKind::Mouse).unwrap();
        let assessment = RuleAssessor::new().assess(&check.evidence()).unwrap();
        assert!(assessment.conclusive);
        let against: Vec<_> = assessment
            .findings
            .iter()
            .filter(|finding| finding.weight.as_milli() > 0 && finding.counted)
            .collect();
        assert!(
            against.iter().all(|finding| finding.group == "kinematics"),
            "{against:?}"
        );
        let is_fired = |name: &str| {
            assessment
                .findings
                .iter()
                .any(|finding| finding.rule == name)
        };
        assert!(
            is_fired("bundled_moves") && is_fired("kept_grid"),
            "{:?}",
            assessment.findings
        );
    }

    #[test]
    fn second_movement_begins_at_the_first_end() {
        let first = movement_path(
            &segment(9.0).points,
            Point {
                t: 0.0,
                x: 5.0,
                y: 6.0,
            },
            1,
        );
        let second = movement_path(&segment(-4.0).points, first.end, 2);
        let last = first.rows.last().unwrap();
        assert_eq!(last.at, second.rows[0].at);
        assert!(second.rows[0].t >= last.t);
        assert!(
            first.rows.iter().all(|row| row.t % 10 == FRACTION),
            "one grid"
        );
    }
}
