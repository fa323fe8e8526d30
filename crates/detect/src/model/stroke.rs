//! Movement in the form from which all features are computed.

use super::stats;
use crate::movement::Point;
use std::fmt;

/// Duration of a frame of a screen at 60 Hz, in ms.
pub(super) const FRAME_MS: f64 = 1000.0 / 60.0;
/// Median interval, in ms, below which a stream is sampled once per frame.
const RESAMPLE_BELOW_MS: f64 = 13.0;
/// Minimum duration of a gap, in ms: at least one frame had no event.
pub(super) const GAP_MS: f64 = 30.0;
/// Maximum distance, in px, of an interval in which the pointer crept or rested, so that little is missing.
const CREEP_PX: f64 = 10.0;
/// Minimum share of gaps in a stream of a remote desktop.
const SPARSE_SHARE: f64 = 0.3;
/// Maximum duration of a movement before its end, in ms; earlier events are ignored.
const WINDOW_MS: f64 = 4000.0;
/// Minimum duration, in ms, of a pause within the first 5 % of the path that precedes the movement.
const PAUSE_MS: f64 = 80.0;
const MIN_STEPS: usize = 6;
/// Minimum length of the path, in px.
const MIN_PATH: f64 = 20.0;

/// Reason why a movement is unusable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnusableMovement {
    /// The movement has too few steps, or too short a path.
    Short,
    /// The events are as sparse as over a remote desktop.
    Sparse,
}

impl fmt::Display for UnusableMovement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Short => "too short",
            Self::Sparse => "as sparse as over a remote desktop",
        })
    }
}

/// Step from one position to the next that is another pixel.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct StrokeStep {
    /// Duration in ms.
    pub(super) dt: f64,
    /// Horizontal distance in whole px.
    pub(super) dx: f64,
    /// Vertical distance in whole px.
    pub(super) dy: f64,
    /// Length in px.
    pub(super) length: f64,
    /// Change of direction from the step before, in radians; 0 for the first.
    pub(super) turn: f64,
}

/// Distance of the pointer in one frame, in px.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Frame {
    pub(super) vx: f64,
    pub(super) vy: f64,
    pub(super) v: f64,
}

/// Movement as steps between pixels and as frames at 60 Hz.
///
/// The buffer is reusable: once grown, reading the next movement allocates nothing.
#[derive(Debug, Default)]
pub struct Stroke {
    points: Vec<Point>,
    pub(super) steps: Vec<StrokeStep>,
    pub(super) frames: Vec<Frame>,
    pub(super) scratch: Vec<f64>,
}

impl Stroke {
    /// Reads a movement. Positions are rounded to pixels and rests are skipped.
    ///
    /// So the result does not depend on whether a device reports fractions, repeats itself, or reports the press as an event
    /// of
    /// its own.
    pub(super) fn read(&mut self, points: &[Point]) -> Result<(), UnusableMovement> {
        self.points.clear();
        let finite =
            |point: &&Point| point.t.is_finite() && point.x.is_finite() && point.y.is_finite();
        for point in points.iter().filter(finite) {
            push(
                &mut self.points,
                Point {
                    t: point.t,
                    x: point.x.round(),
                    y: point.y.round(),
                },
            );
        }
        self.thin();
        self.trim();
        self.step();
        self.check()?;
        self.resample_frames();
        Ok(())
    }

    /// Retains the last event of each frame, if events are more frequent than frames.
    fn thin(&mut self) {
        self.scratch.clear();
        self.scratch
            .extend(self.points.windows(2).map(|pair| pair[1].t - pair[0].t));
        if stats::median(&mut self.scratch) >= RESAMPLE_BELOW_MS {
            return;
        }
        let frame = |point: &Point| (point.t / FRAME_MS).floor();
        let mut new_length = 0;
        for at in 0..self.points.len() {
            let last = self
                .points
                .get(at + 1)
                .is_none_or(|next| frame(next) > frame(&self.points[at]));
            if last
                && (new_length == 0
                    || !is_same_pixel(&self.points[new_length - 1], &self.points[at]))
            {
                self.points[new_length] = self.points[at];
                new_length += 1;
            }
        }
        self.points.truncate(new_length);
    }

    /// Removes the events before the movement.
    ///
    /// These are all but its last seconds, its first event, which another movement may have caused, and the events before a
    /// pause
    /// at its beginning.
    fn trim(&mut self) {
        let Some(end) = self.points.last().map(|point| point.t) else {
            return;
        };
        let window_start = self
            .points
            .iter()
            .position(|point| point.t >= end - WINDOW_MS)
            .unwrap_or(0);
        self.points.drain(..window_start.max(1));
        let total = path(&self.points);
        let mut path_length = 0.0;
        let mut onset = 0;
        for (at, pair) in self.points.windows(2).enumerate() {
            path_length += distance(&pair[0], &pair[1]);
            if path_length > total / 20.0 {
                break;
            }
            if pair[1].t - pair[0].t >= PAUSE_MS {
                onset = at + 1;
            }
        }
        self.points.drain(..onset);
    }

    fn step(&mut self) {
        self.steps.clear();
        let mut direction_before: Option<(f64, f64)> = None;
        for pair in self.points.windows(2) {
            let dx = pair[1].x - pair[0].x;
            let dy = pair[1].y - pair[0].y;
            let turn =
                direction_before.map_or(0.0, |(x, y)| (x * dy - y * dx).atan2(x * dx + y * dy));
            self.steps.push(StrokeStep {
                dt: pair[1].t - pair[0].t,
                dx,
                dy,
                length: dx.hypot(dy),
                turn,
            });
            direction_before = Some((dx, dy));
        }
    }

    fn check(&self) -> Result<(), UnusableMovement> {
        let length: f64 = self.steps.iter().map(|step| step.length).sum();
        if self.steps.len() < MIN_STEPS || length < MIN_PATH {
            return Err(UnusableMovement::Short);
        }
        let moving = self.steps.iter().filter(|step| step.length > CREEP_PX);
        let sparse = stats::share(moving.map(|step| step.dt > GAP_MS));
        if sparse > SPARSE_SHARE {
            Err(UnusableMovement::Sparse)
        } else {
            Ok(())
        }
    }

    /// Interpolates frames at 60 Hz. In a gap the pointer rests until the frame before the gap's end.
    fn resample_frames(&mut self) {
        self.frames.clear();
        let mut segment = 0;
        let first = self.points[0];
        let mut t = first.t;
        let mut position = (first.x, first.y);
        let end = self.points[self.points.len() - 1].t;
        while t + FRAME_MS <= end {
            t += FRAME_MS;
            while self.points[segment + 1].t < t {
                segment += 1;
            }
            let next = between(&self.points[segment], &self.points[segment + 1], t);
            let vx = next.0 - position.0;
            let vy = next.1 - position.1;
            self.frames.push(Frame {
                vx,
                vy,
                v: vx.hypot(vy),
            });
            position = next;
        }
    }
}

fn between(from: &Point, to: &Point, t: f64) -> (f64, f64) {
    let length = to.t - from.t;
    let start = if length > GAP_MS {
        to.t - FRAME_MS
    } else {
        from.t
    };
    let part = ((t - start) / (to.t - start)).clamp(0.0, 1.0);
    (
        from.x + (to.x - from.x) * part,
        from.y + (to.y - from.y) * part,
    )
}

/// Adds a point, unless the pointer is still on the same pixel. Of several at one moment the last counts.
fn push(points: &mut Vec<Point>, point: Point) {
    if points.last().is_some_and(|last| point.t <= last.t) {
        let moment = points.pop().map_or(point.t, |last| last.t);
        return push(points, Point { t: moment, ..point });
    }
    if points
        .last()
        .is_none_or(|last| !is_same_pixel(last, &point))
    {
        points.push(point);
    }
}

#[expect(clippy::float_cmp, reason = "both are whole numbers")]
fn is_same_pixel(one: &Point, other: &Point) -> bool {
    one.x == other.x && one.y == other.y
}

fn distance(from: &Point, to: &Point) -> f64 {
    (to.x - from.x).hypot(to.y - from.y)
}

fn path(points: &[Point]) -> f64 {
    points
        .windows(2)
        .map(|pair| distance(&pair[0], &pair[1]))
        .sum()
}
