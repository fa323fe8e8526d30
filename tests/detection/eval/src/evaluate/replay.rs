//! Replays of recorded movements.

use crate::replay::Replay;
use crate::stats::{SampleCluster, lower_bound, rounded, upper_bound_of};
use serde::{Deserialize, Serialize};

/// Share of recognised replays by transformation; `None` if not measured.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct ReplayRow {
    /// Rotated, scaled and translated only.
    pub exact: Option<f64>,
    /// Reflected.
    pub mirrored: Option<f64>,
    /// Every point displaced by noise.
    pub jittered: Option<f64>,
    /// Time stretched and compressed locally.
    pub warped: Option<f64>,
    /// Mean of two recordings.
    pub blended: Option<f64>,
    /// Share of other people's movements that match a replay.
    pub false_match: Option<f64>,
}

/// Sample sizes and bounds of the replay shares.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct ReplayBasis {
    /// Movements in the index.
    pub indexed: usize,
    /// Movements of other people that were searched in it.
    pub strangers: usize,
    /// One-sided 95 % bounds of the shares, by person: lower ones, except for `false_match`.
    pub bound95: ReplayRow,
}

/// Share and bound of a set of clusters.
type ShareAndBound = (Option<f64>, Option<f64>);

pub(super) fn row(replay: &Replay) -> ReplayRow {
    each(replay, |(share, _)| share)
}

pub(super) fn details(replay: &Replay) -> ReplayBasis {
    ReplayBasis {
        indexed: replay.indexed,
        strangers: replay.strangers,
        bound95: each(replay, |(_, bound)| bound),
    }
}

fn each(replay: &Replay, part: fn(ShareAndBound) -> Option<f64>) -> ReplayRow {
    let available = |clusters: &[SampleCluster]| part(lower_bound(clusters)).map(rounded);
    ReplayRow {
        exact: available(&replay.exact),
        mirrored: available(&replay.mirrored),
        jittered: available(&replay.jittered),
        warped: available(&replay.warped),
        blended: available(&replay.blended),
        false_match: part(upper_bound_of(&replay.false_match)).map(rounded),
    }
}
