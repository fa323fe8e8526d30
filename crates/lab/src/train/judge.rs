//! The model that may judge a recording: one that did not see who or what made it.

use super::files::FoldsFile;
use super::folds::Folds;
use super::unseen::Thresholds;
use crate::corpus::pointer::RecordedMovement;
use anyhow::Result;
use std::sync::Arc;
use voight_detect::model::{Model, Stroke};

const COMMITTED: &[u8] = include_bytes!("../../model/folds.json.gz");

/// The model of this release, and those that leave out each person and tool that it was trained with.
#[derive(Debug)]
pub struct FoldModels {
    whole: Arc<Model>,
    folds: Folds,
    models: Vec<Arc<Model>>,
    thresholds: Thresholds,
}

impl FoldModels {
    /// The committed models.
    ///
    /// # Errors
    ///
    /// They do not fit this release.
    pub fn load() -> Result<Self> {
        let FoldsFile { folds, thresholds, models } = FoldsFile::read(COMMITTED)?;
        let models = models.into_iter().map(|one| Model::new(one).map(Arc::new)).collect::<Result<Vec<_>, _>>()?;
        anyhow::ensure!(folds.count() <= models.len(), "a fold has no model; run `cargo xtask detect train`");
        Ok(Self { whole: Model::released(), folds, models, thresholds })
    }

    /// The model for a segment: one that saw neither its person nor its tool.
    pub fn model(&self, segment: &RecordedMovement) -> &Arc<Model> {
        self.folds.fold_of(segment).and_then(|fold| self.models.get(fold)).unwrap_or(&self.whole)
    }

    /// Whether the model of this release was trained with this person or tool.
    pub fn was_trained_on(&self, segment: &RecordedMovement) -> bool {
        self.folds.fold_of(segment).is_some()
    }

    /// What that model says of the segment: the higher, the more like a machine's. `None` if it abstains.
    pub fn logit(&self, segment: &RecordedMovement, stroke: &mut Stroke) -> Option<f64> {
        Some(self.model(segment).logit(&stroke.features(&segment.points).ok()?))
    }

    /// The logits above which one in a hundred movements of unseen people lies.
    pub const fn thresholds(&self) -> Thresholds {
        self.thresholds
    }
}
