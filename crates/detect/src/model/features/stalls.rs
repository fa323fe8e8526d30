//! Stalls: intervals in which the pointer rested or nearly rested.

use super::Feature;
use crate::model::stats::ratio;
use crate::model::stroke::{GAP_MS, Stroke, StrokeStep};

/// Minimum duration of a stall, in ms.
const STALL: f64 = 60.0;

/// Stall features; times are in ms.
#[derive(Default)]
pub(super) struct Stalls {
    time: f64,
    waiting: f64,
    count: f64,
    longest: f64,
    late: f64,
    approach: f64,
    end: f64,
}

impl Stalls {
    pub(super) fn from_stroke(stroke: &Stroke) -> Self {
        let mut features = Self::default();
        for step in &stroke.steps {
            features.time += step.dt;
            features.waiting += if step.dt > GAP_MS { step.dt } else { 0.0 };
            features.count += f64::from(step.dt > STALL);
            features.longest = features.longest.max(step.dt);
        }
        let path: f64 = stroke.steps.iter().map(|step| step.length).sum();
        let within = |px: f64| last(&stroke.steps, px);
        features.late = within(path / 10.0)
            .map(|step| step.dt)
            .filter(|dt| *dt > STALL)
            .sum();
        features.approach = within(path / 20.0).map(|step| step.dt).sum();
        features.end = within(10.0).map(|step| step.dt).sum();
        features
    }
}

/// Returns the steps of the last `px` pixels of the path.
fn last(steps: &[StrokeStep], px: f64) -> impl Iterator<Item = &StrokeStep> {
    let mut left_px = px;
    steps.iter().rev().take_while(move |step| {
        left_px -= step.length;
        left_px >= 0.0
    })
}

pub(super) const TABLE: [Feature<Stalls>; 6] = [
    ("stall_share", |s| ratio(s.waiting, s.time)),
    ("stall_count", |s| s.count),
    ("stall_longest", |s| ratio(s.longest, s.time)),
    ("stall_late", |s| (s.late + 1.0).ln()),
    ("stall_approach", |s| ratio(s.approach, s.time)),
    ("stall_end", |s| (s.end + 1.0).ln()),
];
