//! Recorded movements that are presented again.

use crate::replay::Replay;
use crate::stats::{SampleCluster, lower_bound, rounded, upper_bound_of};
use serde::{Deserialize, Serialize};

/// The share of replays that are known again, by how they were changed; `None` where nothing was measured.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct ReplayRow {
    /// Turned, scaled and moved only.
    pub exact: Option<f64>,
    /// Mirrored.
    pub mirrored: Option<f64>,
    /// With every point displaced a little.
    pub jittered: Option<f64>,
    /// With time stretched here and pressed there.
    pub warped: Option<f64>,
    /// Mixed of two recordings.
    pub blended: Option<f64>,
    /// The share of movements of other people that are taken for a replay.
    pub false_match: Option<f64>,
}

/// What those shares rest on.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct ReplayBasis {
    /// Movements in the index.
    pub indexed: usize,
    /// Movements of other people that were looked for in it.
    pub strangers: usize,
    /// The one-sided 95 % bounds of the shares, by person: lower ones, but for `false_match`.
    pub bound95: ReplayRow,
}

/// The share and the bound of some clusters.
type ShareAndBound = (Option<f64>, Option<f64>);

pub(super) fn row(found: &Replay) -> ReplayRow {
    each(found, |(share, _)| share)
}

pub(super) fn details(found: &Replay) -> ReplayBasis {
    ReplayBasis { indexed: found.indexed, strangers: found.strangers, bound95: each(found, |(_, bound)| bound) }
}

fn each(found: &Replay, part: fn(ShareAndBound) -> Option<f64>) -> ReplayRow {
    let known = |clusters: &[SampleCluster]| part(lower_bound(clusters)).map(rounded);
    ReplayRow {
        exact: known(&found.exact),
        mirrored: known(&found.mirrored),
        jittered: known(&found.jittered),
        warped: known(&found.warped),
        blended: known(&found.blended),
        false_match: part(upper_bound_of(&found.false_match)).map(rounded),
    }
}
