//! Selection of a model that held out the person and the tool of a recording.

use super::files::FoldsFile;
use super::folds::Folds;
use super::held_out::Thresholds;
use crate::corpus::pointer::RecordedMovement;
use anyhow::Result;
use std::sync::Arc;
use voight_detect::model::{Model, Stroke};

const COMMITTED: &[u8] = include_bytes!("../../model/folds.json.gz");

/// Released model, and those that leave out each person and tool of its training set.
#[derive(Debug)]
pub struct FoldModels {
    released: Arc<Model>,
    folds: Folds,
    models: Vec<Arc<Model>>,
    thresholds: Thresholds,
}

impl FoldModels {
    /// Loads the committed models.
    ///
    /// # Errors
    ///
    /// The models do not fit this release.
    pub fn load() -> Result<Self> {
        let FoldsFile {
            folds,
            thresholds,
            models,
        } = FoldsFile::read(COMMITTED)?;
        let models = models
            .into_iter()
            .map(|parameters| Model::new(parameters).map(Arc::new))
            .collect::<Result<Vec<_>, _>>()?;
        anyhow::ensure!(
            folds.count() <= models.len(),
            "a fold has no model; run `cargo xtask detect train`"
        );
        Ok(Self {
            released: Model::released(),
            folds,
            models,
            thresholds,
        })
    }

    /// Returns the model for a segment: one that held out its person and its tool.
    pub fn model(&self, segment: &RecordedMovement) -> &Arc<Model> {
        self.folds
            .fold_of(segment)
            .and_then(|fold| self.models.get(fold))
            .unwrap_or(&self.released)
    }

    /// Returns `true` if the released model was trained with this person or tool.
    pub fn was_trained_on(&self, segment: &RecordedMovement) -> bool {
        self.folds.fold_of(segment).is_some()
    }

    /// Returns that model's logit of the segment; higher is more machine-like. `None` if it abstains.
    pub fn logit(&self, segment: &RecordedMovement, stroke: &mut Stroke) -> Option<f64> {
        Some(
            self.model(segment)
                .logit(&stroke.features(&segment.points).ok()?),
        )
    }

    /// Returns the logits that 1 % of the movements of held-out people exceed.
    pub const fn thresholds(&self) -> Thresholds {
        self.thresholds
    }
}
