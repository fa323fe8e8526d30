//! Tools that move a pointer, evaluated by the behaviour model only.

use super::check_group::by_maker;
use super::out_of_fold::Logits;
use crate::corpus::Corpus;
use crate::stats::{auc, mean, quantile, rounded, share};
use serde::{Deserialize, Serialize};

/// Share of people's movements that may exceed a threshold.
const FALSE_ALARMS: f64 = 0.01;

/// Separation of a tool from people.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ToolRow {
    /// Name of the tool.
    pub name: String,
    /// Number of its movements.
    pub segments: usize,
    /// Probability that one of its movements scores higher than one of a person of the corpus.
    pub auc: Option<f64>,
    /// Share of its movements that are detected at 1 % false alarms.
    pub tpr_1pct: Option<f64>,
    /// Share of its runs of three movements that are detected by their mean.
    pub tpr_1pct_three: Option<f64>,
}

/// Returns a row for each tool.
///
/// Thresholds are those of the corpus's people, or of the training report if there are none. Movements on which the model
/// abstains are not detected.
pub(super) fn rows(corpus: &Corpus, logits: &Logits) -> Vec<ToolRow> {
    let people: Vec<f64> = logits.people.iter().copied().flatten().collect();
    let threes = by_maker(&corpus.people).into_values();
    let threes: Vec<f64> = threes
        .flat_map(|positions| of_three(&positions, &logits.people))
        .flatten()
        .collect();
    let one_threshold = quantile(&people, 1.0 - FALSE_ALARMS).unwrap_or(logits.thresholds.one);
    let three = quantile(&threes, 1.0 - FALSE_ALARMS).unwrap_or(logits.thresholds.three);
    let row = |(name, positions): (String, Vec<usize>)| {
        let tool_logits: Vec<Option<f64>> = positions.iter().map(|at| logits.tools[*at]).collect();
        let available: Vec<f64> = tool_logits.iter().copied().flatten().collect();
        ToolRow {
            name,
            segments: positions.len(),
            auc: auc(&available, &people).map(rounded),
            tpr_1pct: detection_rate(&tool_logits, one_threshold),
            tpr_1pct_three: detection_rate(&of_three(&positions, &logits.tools), three),
        }
    };
    by_maker(&corpus.tools).into_iter().map(row).collect()
}

/// Returns the means of three consecutive logits, as far as they are available.
fn of_three(positions: &[usize], logits: &[Option<f64>]) -> Vec<Option<f64>> {
    let three = |positions: &[usize]| {
        let available: Vec<f64> = positions.iter().filter_map(|at| logits[*at]).collect();
        mean(&available)
    };
    positions.chunks_exact(3).map(three).collect()
}

fn detection_rate(logits: &[Option<f64>], threshold: f64) -> Option<f64> {
    let above = logits
        .iter()
        .flatten()
        .filter(|logit| **logit > threshold)
        .count();
    share(above, logits.len()).map(rounded)
}
