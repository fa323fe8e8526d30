//! Steps in whole pixels: the effect of rounding on a smooth or a shaking path.

use super::Feature;
use crate::model::stats::{mean, share};
use crate::model::stroke::{Stroke, StrokeStep};

pub(super) struct Pixels {
    zero_x: f64,
    zero_y: f64,
    diagonal: f64,
    single: f64,
    same: f64,
    even: f64,
    longest_same: f64,
    flips: [f64; 2],
    distinct: f64,
    change: f64,
}

impl Pixels {
    pub(super) fn from_stroke(stroke: &mut Stroke) -> Self {
        let distinct = distinct(stroke);
        let steps = stroke.steps.as_slice();
        let of = |is: fn(&StrokeStep) -> bool| share(steps.iter().map(is));
        let pairs = |is: fn(&StrokeStep, &StrokeStep) -> bool| {
            share(steps.windows(2).map(|pair| is(&pair[0], &pair[1])))
        };
        Self {
            zero_x: of(|step| step.dx.abs() < 0.5),
            zero_y: of(|step| step.dy.abs() < 0.5),
            diagonal: of(|step| (step.dx.abs() - step.dy.abs()).abs() < 0.5),
            single: of(|step| step.length < 1.5),
            same: pairs(is_same),
            even: pairs(|a, b| (a.length - b.length).abs() <= 1.0),
            longest_same: longest_same(steps),
            flips: [
                pairs(|a, b| a.dx * b.dx < 0.0),
                pairs(|a, b| a.dy * b.dy < 0.0),
            ],
            distinct,
            change: mean(
                steps
                    .windows(2)
                    .map(|pair| (pair[1].dx - pair[0].dx).abs() + (pair[1].dy - pair[0].dy).abs()),
            ),
        }
    }
}

fn is_same(one: &StrokeStep, other: &StrokeStep) -> bool {
    (one.dx - other.dx).abs() < 0.5 && (one.dy - other.dy).abs() < 0.5
}

/// Returns the longest run of equal steps, as a share of all.
#[expect(clippy::cast_precision_loss, reason = "a movement has few steps")]
fn longest_same(steps: &[StrokeStep]) -> f64 {
    let mut run_length = 1;
    let mut longest = 1;
    for pair in steps.windows(2) {
        run_length = if is_same(&pair[0], &pair[1]) {
            run_length + 1
        } else {
            1
        };
        longest = longest.max(run_length);
    }
    f64::from(longest) / steps.len() as f64
}

/// Returns the number of distinct steps, as a share of all.
fn distinct(stroke: &mut Stroke) -> f64 {
    stroke.scratch.clear();
    // One number encodes each step; no step on a screen has ten thousand pixels.
    stroke
        .scratch
        .extend(stroke.steps.iter().map(|step| step.dx * 1e5 + step.dy));
    stroke.scratch.sort_unstable_by(f64::total_cmp);
    share(
        stroke
            .scratch
            .windows(2)
            .map(|pair| pair[1] - pair[0] > 0.5),
    )
}

pub(super) const TABLE: [Feature<Pixels>; 12] = [
    ("pixel_zero_x", |p| p.zero_x),
    ("pixel_zero_y", |p| p.zero_y),
    ("pixel_zero", |p| p.zero_x + p.zero_y),
    ("pixel_diagonal", |p| p.diagonal),
    ("pixel_single", |p| p.single),
    ("pixel_same", |p| p.same),
    ("pixel_even", |p| p.even),
    ("pixel_longest_same", |p| p.longest_same),
    ("pixel_flips_x", |p| p.flips[0]),
    ("pixel_flips_y", |p| p.flips[1]),
    ("pixel_distinct", |p| p.distinct),
    ("pixel_change", |p| p.change),
];
