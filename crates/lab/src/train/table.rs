//! What a model is trained with: rows of features, what they are, and who must not see them.

use super::augment::variants;
use super::folds::Folds;
use crate::corpus::pointer::RecordedMovement;
use fastrand::Rng;
use voight_detect::model::{Features, Stroke};

/// One movement, whole, cut, or delivered anew.
pub(super) struct TrainingRow {
    pub(super) features: Features,
    /// Whether a machine made it.
    pub(super) bot: bool,
    /// The fold that leaves it out.
    pub(super) fold: usize,
    /// The segment that it comes from.
    pub(super) segment: usize,
    /// Whether it is as it was recorded.
    pub(super) whole: bool,
}

/// Rows of both kinds.
pub(super) struct TrainingSet {
    pub(super) rows: Vec<TrainingRow>,
}

impl TrainingSet {
    /// The rows of all segments that can be used and are in a fold, in their order.
    pub(super) fn from_segments(segments: &[RecordedMovement], folds: &Folds, seed: u64) -> Self {
        let (mut rows, mut stroke, mut random) = (Vec::new(), Stroke::default(), Rng::with_seed(seed));
        for (segment, made) in segments.iter().enumerate() {
            let Some(fold) = folds.fold_of(made) else { continue };
            for (at, points) in variants(&made.points, &mut random).iter().enumerate() {
                if let Ok(features) = stroke.features(points) {
                    rows.push(TrainingRow { features, bot: !made.human, fold, segment, whole: at == 0 });
                }
            }
        }
        Self { rows }
    }

    /// Deals the labels out anew, segment by segment: nothing can be learnt from what is left.
    pub(super) fn shuffle_labels(&mut self, segments: &[RecordedMovement], seed: u64) {
        let mut labels: Vec<bool> = segments.iter().map(|segment| !segment.human).collect();
        Rng::with_seed(seed).shuffle(&mut labels);
        self.rows.iter_mut().for_each(|row| row.bot = labels[row.segment]);
    }

    /// The places of the rows that a fold may see; all for `None`.
    pub(super) fn seen_by(&self, fold: Option<usize>) -> Vec<usize> {
        (0..self.rows.len()).filter(|at| fold != Some(self.rows[*at].fold)).collect()
    }
}
