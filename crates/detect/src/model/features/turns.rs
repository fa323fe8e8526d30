//! Changes of direction from step to step, in radians.

use super::Feature;
use crate::model::stats::{self, autocorrelation, quantile, share};
use crate::model::stroke::Stroke;

/// Minimum length of a step whose direction is reliable in spite of whole pixels, in px.
const LONG: f64 = 5.0;

pub(super) struct Turns {
    mean: f64,
    spread: f64,
    total: f64,
    absolute: f64,
    large: f64,
    flips: f64,
    lag: [f64; 2],
    quantiles: [f64; 3],
    long: Long,
}

/// Turns of long steps only.
struct Long {
    mean: f64,
    spread: f64,
    middle: f64,
    flips: f64,
    still: f64,
}

impl Turns {
    pub(super) fn from_stroke(stroke: &mut Stroke) -> Self {
        let long = Long::from_stroke(stroke);
        let steps = &stroke.steps;
        let turns = &mut stroke.scratch;
        turns.clear();
        turns.extend(steps.iter().skip(1).map(|step| step.turn));
        let absolute: f64 = turns.iter().map(|turn| turn.abs()).sum();
        let mut features = Self {
            mean: stats::mean(turns.iter().map(|turn| turn.abs())),
            spread: stats::deviation(turns),
            total: turns.iter().sum::<f64>().abs(),
            absolute,
            large: share(turns.iter().map(|turn| turn.abs() > 0.5)),
            flips: share(turns.windows(2).map(|pair| pair[0] * pair[1] < 0.0)),
            lag: [autocorrelation(turns, 1), autocorrelation(turns, 2)],
            quantiles: [0.0; 3],
            long,
        };
        for turn in turns.iter_mut() {
            *turn = turn.abs();
        }
        turns.sort_unstable_by(f64::total_cmp);
        features.quantiles = [0.25, 0.5, 0.9].map(|part| quantile(turns, part));
        features
    }
}

impl Long {
    fn from_stroke(stroke: &mut Stroke) -> Self {
        let steps = &stroke.steps;
        let turns = &mut stroke.scratch;
        let pairs = steps
            .windows(2)
            .filter(|pair| pair[0].length >= LONG && pair[1].length >= LONG);
        turns.clear();
        turns.extend(pairs.map(|pair| pair[1].turn));
        let flips = share(turns.windows(2).map(|pair| pair[0] * pair[1] < 0.0));
        let deviation = stats::deviation(turns);
        for turn in turns.iter_mut() {
            *turn = turn.abs();
        }
        let still = share(turns.iter().map(|turn| *turn < 0.02));
        Self {
            mean: stats::mean(turns.iter().copied()),
            spread: deviation,
            flips,
            still,
            middle: stats::median(turns),
        }
    }
}

pub(super) const TABLE: [Feature<Turns>; 16] = [
    ("turn_mean", |t| t.mean),
    ("turn_spread", |t| t.spread),
    ("turn_total", |t| t.total),
    ("turn_one_sided", |t| stats::ratio(t.total, t.absolute)),
    ("turn_large", |t| t.large),
    ("turn_flips", |t| t.flips),
    ("turn_lag_1", |t| t.lag[0]),
    ("turn_lag_2", |t| t.lag[1]),
    ("turn_quarter", |t| t.quantiles[0]),
    ("turn_median", |t| t.quantiles[1]),
    ("turn_most", |t| t.quantiles[2]),
    ("turn_long_mean", |t| t.long.mean),
    ("turn_long_spread", |t| t.long.spread),
    ("turn_long_median", |t| t.long.middle),
    ("turn_long_flips", |t| t.long.flips),
    ("turn_long_still", |t| t.long.still),
];
