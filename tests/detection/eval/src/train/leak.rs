//! Leaks: features that separate bot recordings from people's although the path is the same.

use super::folds::REPLAY;
use crate::corpus::pointer::RecordedMovement;
use crate::stats::{auc, rounded};
use serde::Serialize;
use voight_detect::model::{Features, Stroke, names};

/// Maximum AUC of a feature; a better one would teach the model how a movement was recorded.
const MOST: f64 = 0.75;

/// Separation of people's movements from their replays by one feature.
#[derive(Debug, Clone, Serialize)]
pub struct FeatureLeak {
    /// Name of the feature.
    pub feature: &'static str,
    /// AUC; 0.5 without any separation.
    pub auc: f64,
    /// `true` if the separation excludes the feature from the model.
    pub removed: bool,
}

/// Returns every feature, the worst first. Empty without people or replays in the corpus.
pub fn leaks(segments: &[RecordedMovement]) -> Vec<FeatureLeak> {
    let mut stroke = Stroke::default();
    let (mut people, mut replayed): (Vec<Features>, Vec<Features>) = (Vec::new(), Vec::new());
    for segment in segments
        .iter()
        .filter(|segment| segment.human || segment.tool == REPLAY)
    {
        if let Ok(features) = stroke.features(&segment.points) {
            (if segment.human {
                &mut people
            } else {
                &mut replayed
            })
            .push(features);
        }
    }
    let column = |rows: &[Features], at: usize| rows.iter().map(|row| row[at]).collect::<Vec<_>>();
    let of = |(at, feature): (usize, &'static str)| {
        let leaks = auc(&column(&replayed, at), &column(&people, at))?;
        let auc = leaks.max(1.0 - leaks);
        Some(FeatureLeak {
            feature,
            auc: rounded(auc),
            removed: auc > MOST,
        })
    };
    let mut leaks: Vec<FeatureLeak> = names().enumerate().filter_map(of).collect();
    leaks.sort_by(|a, b| b.auc.total_cmp(&a.auc));
    leaks
}
