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
        let mut found = Self::default();
        for step in &stroke.steps {
            found.time += step.dt;
            found.waiting += if step.dt > GAP_MS { step.dt } else { 0.0 };
            found.count += f64::from(step.dt > STALL);
            found.longest = found.longest.max(step.dt);
        }
        let path: f64 = stroke.steps.iter().map(|step| step.length).sum();
        let within = |px: f64| last(&stroke.steps, px);
        found.late = within(path / 10.0)
            .map(|step| step.dt)
            .filter(|dt| *dt > STALL)
            .sum();
        found.approach = within(path / 20.0).map(|step| step.dt).sum();
        found.end = within(10.0).map(|step| step.dt).sum();
        found
    }
}

/// Returns the steps of the last `px` pixels of the path.
fn last(steps: &[StrokeStep], px: f64) -> impl Iterator<Item = &StrokeStep> {
    let mut left = px;
    steps.iter().rev().take_while(move |step| {
        left -= step.length;
        left >= 0.0
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
