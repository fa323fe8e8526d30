//! Smoothness of the path in time: differences of second to fourth order, along the path and across it.

use super::Feature;
use crate::model::stats::{mean, ratio, rms, share};
use crate::model::stroke::{Frame, Stroke};

/// Differences in px per frame to the power of the order.
pub(super) struct Noise {
    frames: f64,
    mean: f64,
    top: f64,
    acceleration: Order,
    jerk: Order,
    snap: Order,
    largest: f64,
    reversals: f64,
    power_law: f64,
}

/// Differences of one order.
struct Order {
    all: f64,
    across: f64,
    /// Differences where the pointer is fast, so that rounding to pixels matters little.
    fast: f64,
}

impl Noise {
    #[expect(clippy::cast_precision_loss, reason = "a movement has few frames")]
    pub(super) fn from_stroke(stroke: &Stroke) -> Self {
        let frames = stroke.frames.as_slice();
        let top = frames
            .iter()
            .map(|frame| frame.v)
            .fold(f64::MIN_POSITIVE, f64::max);
        let change = |pair: &[Frame]| pair[1].v - pair[0].v;
        let changes = || frames.windows(2).map(change);
        Self {
            frames: frames.len() as f64,
            mean: mean(frames.iter().map(|frame| frame.v)),
            top,
            acceleration: Order::from_frames(frames, &[-1.0, 1.0], top),
            jerk: Order::from_frames(frames, &[1.0, -2.0, 1.0], top),
            snap: Order::from_frames(frames, &[-1.0, 3.0, -3.0, 1.0], top),
            largest: changes().map(f64::abs).fold(0.0, f64::max),
            reversals: share(changes().zip(changes().skip(1)).map(|(a, b)| a * b < 0.0)),
            power_law: power_law(frames),
        }
    }
}

impl Order {
    fn from_frames(frames: &[Frame], weights: &[f64], top: f64) -> Self {
        let at = |window: &[Frame]| {
            let sum = |of: fn(&Frame) -> f64| {
                window
                    .iter()
                    .zip(weights)
                    .map(|(frame, weight)| of(frame) * weight)
                    .sum()
            };
            let (x, y): (f64, f64) = (sum(|frame| frame.vx), sum(|frame| frame.vy));
            let middle = &window[window.len() / 2];
            (
                x.hypot(y),
                ratio(middle.vx * y - middle.vy * x, middle.v),
                middle.v,
            )
        };
        let windows = || frames.windows(weights.len()).map(at);
        Self {
            all: rms(windows().map(|(size, _, _)| size)),
            across: rms(windows().map(|(_, across, _)| across)),
            fast: mean(
                windows()
                    .filter(|(_, _, v)| *v > top / 3.0)
                    .map(|(size, _, v)| size / v),
            ),
        }
    }
}

/// Returns the relation of speed to curvature: a hand slows down in bends.
fn power_law(frames: &[Frame]) -> f64 {
    let moving = frames
        .windows(2)
        .filter(|pair| pair[0].v > 1.0 && pair[1].v > 1.0);
    let logs = moving.map(|pair| {
        let turn =
            (pair[0].vx * pair[1].vy - pair[0].vy * pair[1].vx).abs() / (pair[0].v * pair[1].v);
        ((pair[0].v + pair[1].v).ln(), (turn + 0.01).ln())
    });
    crate::model::stats::correlation(logs)
}

pub(super) const TABLE: [Feature<Noise>; 17] = [
    ("noise_acceleration", |n| ratio(n.acceleration.all, n.mean)),
    ("noise_acceleration_across", |n| {
        ratio(n.acceleration.across, n.acceleration.all)
    }),
    ("noise_acceleration_fast", |n| n.acceleration.fast),
    ("noise_acceleration_top", |n| n.largest / n.top),
    ("noise_acceleration_peak", |n| {
        ratio(n.largest, n.acceleration.all)
    }),
    ("noise_jerk", |n| ratio(n.jerk.all, n.mean)),
    ("noise_jerk_across", |n| ratio(n.jerk.across, n.jerk.all)),
    ("noise_jerk_fast", |n| n.jerk.fast),
    ("noise_jerk_px", |n| (n.jerk.all + 0.1).ln()),
    ("noise_jerk_ratio", |n| {
        ratio(n.jerk.all, n.acceleration.all)
    }),
    ("noise_jerk_whole", |n| {
        (ratio(n.jerk.all, n.mean) * n.frames.powi(2))
            .max(1e-3)
            .ln()
    }),
    ("noise_snap_across_px", |n| (n.snap.across + 0.1).ln()),
    ("noise_snap_px", |n| (n.snap.all + 0.1).ln()),
    ("noise_snap_fast", |n| n.snap.fast),
    ("noise_snap_ratio", |n| ratio(n.snap.all, n.jerk.all)),
    ("noise_reversals", |n| n.reversals),
    ("noise_power_law", |n| n.power_law),
];
