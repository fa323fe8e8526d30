//! Recorded movements that are presented again.

use crate::replay::Replay;
use crate::stats::rounded;
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

impl From<Replay> for ReplayRow {
    fn from(found: Replay) -> Self {
        let Replay { exact, mirrored, jittered, warped, blended, false_match, .. } = found;
        let [exact, mirrored, jittered] = [exact, mirrored, jittered].map(|share| share.map(rounded));
        let [warped, blended, false_match] = [warped, blended, false_match].map(|share| share.map(rounded));
        Self { exact, mirrored, jittered, warped, blended, false_match }
    }
}
