//! Recorded movements that are presented again.

use serde::{Deserialize, Serialize};

/// The share of replays that are known again, by how they were changed; `None` where nothing was measured.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct ReplayRow {
    /// Unchanged.
    pub exact: Option<f64>,
    /// Mirrored, turned, or scaled.
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
