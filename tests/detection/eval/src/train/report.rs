//! Training report.

use super::held_out::{PeopleMetrics, Thresholds, ToolMetrics};
use super::leak::FeatureLeak;
use super::settings::Settings;
use serde::Serialize;
use voight_detect::model::Scale;

/// Training report. Its metrics are of held-out people and tools.
///
/// Each person and tool is held out by one of the fold models, which are trained like the released model.
#[derive(Debug, Serialize)]
#[expect(missing_docs, reason = "the field names are the documentation")]
pub struct Report {
    pub version: u32,
    pub seed: u64,
    pub folds: usize,
    pub settings: Settings,
    pub counts: TrainingCounts,
    /// AUC of all people against all tools.
    pub auc: f64,
    pub thresholds: Thresholds,
    pub scale: Scale,
    pub people: PeopleMetrics,
    pub tools: Vec<ToolMetrics>,
    /// Separation of people's movements from their replays by single features: the ten best, and all removed.
    pub leaks: Vec<FeatureLeak>,
    /// Share of each feature in the total gain, in descending order.
    pub importances: Vec<(String, f64)>,
    /// `true` if labels were shuffled, so that nothing can be learnt.
    pub shuffled: bool,
}

/// Size of the training set.
#[derive(Debug, Serialize)]
#[expect(missing_docs, reason = "the field names are the documentation")]
pub struct TrainingCounts {
    pub segments: usize,
    /// Number of usable rows, including augmented ones.
    pub rows: usize,
    pub persons: usize,
    pub tools: usize,
}
