//! Path as a line on the screen.

use super::Feature;
use crate::model::stats::{ratio, rms};
use crate::model::stroke::Stroke;

/// Path features: lengths in px; deviations from the line between the ends, positive on its left.
#[derive(Default)]
pub(super) struct PathFeatures {
    length: f64,
    chord: f64,
    slope: f64,
    largest: f64,
    largest_at: f64,
    mean: f64,
    signed: f64,
    spread: f64,
    crossings: f64,
    back: f64,
    beyond: f64,
    late: f64,
}

impl PathFeatures {
    pub(super) fn from_stroke(stroke: &Stroke) -> Self {
        let steps = &stroke.steps;
        let (dx, dy) = steps
            .iter()
            .fold((0.0, 0.0), |(x, y), step| (x + step.dx, y + step.dy));
        let chord = f64::hypot(dx, dy).max(1.0);
        let ux = dx / chord;
        let uy = dy / chord;
        let path: f64 = steps.iter().map(|step| step.length).sum();
        let mut features = Self {
            length: path,
            chord,
            slope: ratio(dx.abs().min(dy.abs()), dx.abs().max(dy.abs())),
            ..Self::default()
        };
        let mut along = 0.0;
        let mut max_distance = 0.0_f64;
        let mut path_length = 0.0;
        let mut count = 0.0;
        for step in steps {
            let forward = step.dx * ux + step.dy * uy;
            let beside_before = max_distance;
            (along, max_distance, path_length) = (
                along + forward,
                max_distance + ux * step.dy - uy * step.dx,
                path_length + step.length,
            );
            features.back -= forward.min(0.0);
            features.beyond = f64::max(features.beyond, along - chord);
            features.crossings += f64::from(beside_before * max_distance < 0.0);
            if max_distance.abs() > features.largest {
                (features.largest, features.largest_at) = (max_distance.abs(), path_length / path);
            }
            if path_length > 0.8 * path {
                features.late = features.late.max(max_distance.abs());
            }
            (features.mean, features.signed, count) = (
                features.mean + max_distance.abs(),
                features.signed + max_distance,
                count + 1.0,
            );
        }
        (features.mean, features.signed) = (features.mean / count, features.signed / count);
        features.spread = Self::spread(stroke, ux, uy, features.signed);
        features
    }

    /// Returns the root mean square of the deviations around their mean.
    fn spread(stroke: &Stroke, ux: f64, uy: f64, mean: f64) -> f64 {
        let deviations = stroke.steps.iter().scan(0.0, |beside, step| {
            *beside += ux * step.dy - uy * step.dx;
            Some(*beside - mean)
        });
        rms(deviations)
    }
}

pub(super) const TABLE: [Feature<PathFeatures>; 13] = [
    ("path_straightness", |p| p.chord / p.length),
    ("path_log_chord", |p| p.chord.ln()),
    ("path_slope", |p| p.slope),
    ("path_deviation_largest", |p| p.largest / p.chord),
    ("path_deviation_px", |p| p.largest),
    ("path_deviation_at", |p| p.largest_at),
    ("path_deviation_mean", |p| p.mean / p.chord),
    ("path_deviation_one_sided", |p| {
        ratio(p.signed.abs(), p.mean)
    }),
    ("path_deviation_spread", |p| p.spread / p.chord),
    ("path_crossings", |p| p.crossings),
    ("path_backward", |p| p.back / p.length),
    ("path_overshoot", |p| p.beyond / p.chord),
    ("path_deviation_late", |p| ratio(p.late, p.largest)),
];
