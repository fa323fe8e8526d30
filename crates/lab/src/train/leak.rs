//! What tells the recordings of bots from those of people although the way is the same.

use super::folds::REPLAY;
use crate::corpus::pointer::RecordedMovement;
use crate::stats::{auc, rounded};
use serde::Serialize;
use voight_detect::model::{Features, Stroke, names};

/// A feature that separates better than this would teach the model how a movement was recorded.
const MOST: f64 = 0.75;

/// How well one feature separates people's movements from the same movements presented by a tool.
#[derive(Debug, Clone, Serialize)]
pub struct FeatureLeak {
    /// What it is called.
    pub feature: &'static str,
    /// 0.5 if it does not separate at all.
    pub auc: f64,
    /// Whether it separates so well that the model must not have it.
    pub removed: bool,
}

/// Every feature, the worst first. Nothing where the corpus has no people or no replay of people.
pub fn leaks(segments: &[RecordedMovement]) -> Vec<FeatureLeak> {
    let mut stroke = Stroke::default();
    let (mut people, mut replayed): (Vec<Features>, Vec<Features>) = (Vec::new(), Vec::new());
    for segment in segments.iter().filter(|segment| segment.human || segment.tool == REPLAY) {
        if let Ok(features) = stroke.features(&segment.points) {
            (if segment.human { &mut people } else { &mut replayed }).push(features);
        }
    }
    let column = |rows: &[Features], at: usize| rows.iter().map(|row| row[at]).collect::<Vec<_>>();
    let of = |(at, feature): (usize, &'static str)| {
        let found = auc(&column(&replayed, at), &column(&people, at))?;
        let auc = found.max(1.0 - found);
        Some(FeatureLeak { feature, auc: rounded(auc), removed: auc > MOST })
    };
    let mut found: Vec<FeatureLeak> = names().enumerate().filter_map(of).collect();
    found.sort_by(|a, b| b.auc.total_cmp(&a.auc));
    found
}
