//! Training set: rows of features with label and fold.

use super::augment::variants;
use super::folds::Folds;
use crate::corpus::pointer::RecordedMovement;
use fastrand::Rng;
use voight_detect::model::{Features, Stroke};

/// Movement as recorded, cut, or resampled.
pub(super) struct TrainingRow {
    pub(super) features: Features,
    /// `true` if a machine made it.
    pub(super) bot: bool,
    /// Fold that leaves it out.
    pub(super) fold: usize,
    /// Index of the segment from which it was made.
    pub(super) segment: usize,
    /// `true` if the movement is as recorded.
    pub(super) is_original: bool,
}

/// Rows of people and bots.
pub(super) struct TrainingSet {
    pub(super) rows: Vec<TrainingRow>,
}

impl TrainingSet {
    /// Creates the rows of all usable segments in a fold, in their order.
    pub(super) fn from_segments(segments: &[RecordedMovement], folds: &Folds, seed: u64) -> Self {
        let mut rows = Vec::new();
        let mut stroke = Stroke::default();
        let mut random = Rng::with_seed(seed);
        for (segment, movement) in segments.iter().enumerate() {
            let Some(fold) = folds.fold_of(movement) else {
                continue;
            };
            for (at, points) in variants(&movement.points, &mut random).iter().enumerate() {
                if let Ok(features) = stroke.features(points) {
                    rows.push(TrainingRow {
                        features,
                        bot: !movement.human,
                        fold,
                        segment,
                        is_original: at == 0,
                    });
                }
            }
        }
        Self { rows }
    }

    /// Shuffles the labels by segment, so that nothing can be learnt.
    pub(super) fn shuffle_labels(&mut self, segments: &[RecordedMovement], seed: u64) {
        let mut labels: Vec<bool> = segments.iter().map(|segment| !segment.human).collect();
        Rng::with_seed(seed).shuffle(&mut labels);
        self.rows
            .iter_mut()
            .for_each(|row| row.bot = labels[row.segment]);
    }

    /// Returns the indices of the rows that a fold may see; all for `None`.
    pub(super) fn seen_by(&self, fold: Option<usize>) -> Vec<usize> {
        (0..self.rows.len())
            .filter(|at| fold != Some(self.rows[*at].fold))
            .collect()
    }
}
