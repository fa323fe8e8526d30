//! What training says of itself.

use super::leak::FeatureLeak;
use super::settings::Settings;
use super::unseen::{PeopleFigures, Thresholds, ToolFigures};
use serde::Serialize;
use voight_detect::model::Scale;

/// The training report. Its figures are of people and tools that the model at hand did not see: each of them is left out by
/// one of the fold models, which are trained like the model that is shipped.
#[derive(Debug, Serialize)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Report {
    pub version: u32,
    pub seed: u64,
    pub folds: usize,
    pub settings: Settings,
    pub counts: TrainingCounts,
    /// How well all people are told from all tools.
    pub auc: f64,
    pub thresholds: Thresholds,
    pub scale: Scale,
    pub people: PeopleFigures,
    pub tools: Vec<ToolFigures>,
    /// How well single features tell people's movements from the same movements replayed; the ten best, and all removed.
    pub leaks: Vec<FeatureLeak>,
    /// The share of each feature in what splits gained, the largest first.
    pub importances: Vec<(String, f64)>,
    /// Whether labels were dealt out anew, so that nothing can be learnt.
    pub shuffled: bool,
}

/// What went in.
#[derive(Debug, Serialize)]
#[expect(missing_docs, reason = "the names say it")]
pub struct TrainingCounts {
    pub segments: usize,
    /// Segments, cut and delivered anew, that can be used.
    pub rows: usize,
    pub persons: usize,
    pub tools: usize,
}
