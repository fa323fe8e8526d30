//! Out-of-fold behaviour models: no person or tool is evaluated by a model of its training set.

use crate::corpus::Corpus;
use crate::corpus::pointer::RecordedMovement;
use crate::parallel;
use crate::train::{FoldModels, Thresholds};
use anyhow::Result;
use std::sync::Arc;
use voight_detect::RuleAssessor;
use voight_detect::model::{Model, Stroke};
use voight_tests::console::bar;

/// Models for every segment.
pub struct OutOfFoldModels {
    models: FoldModels,
    service: RuleAssessor,
}

/// Log-odds of a bot for each segment, `None` if the model abstains.
pub(super) struct Logits {
    pub(super) people: Vec<Option<f64>>,
    pub(super) tools: Vec<Option<f64>>,
    /// Thresholds of the training report.
    pub(super) thresholds: Thresholds,
}

impl OutOfFoldModels {
    /// Loads the committed models.
    pub fn load() -> Result<Self> {
        Ok(Self {
            models: FoldModels::load()?,
            service: RuleAssessor::new(),
        })
    }

    /// Returns the version of the model.
    pub fn version(&self) -> u32 {
        Model::released().version()
    }

    /// Returns the assessor of the service.
    pub fn service(&self) -> &RuleAssessor {
        &self.service
    }

    /// Returns the assessor with a model that was trained without the person or tool of this segment.
    pub(super) fn assessor(&self, segment: &RecordedMovement) -> RuleAssessor {
        self.service
            .clone()
            .with_model(Arc::clone(self.models.model(segment)))
    }

    /// Computes the log-odds of the corpus with these models.
    pub(super) fn logits(&self, corpus: &Corpus) -> Logits {
        let logit = |segment: &RecordedMovement| self.models.logit(segment, &mut Stroke::default());
        let of = |name, segments: &[RecordedMovement]| {
            parallel::map(segments, &bar(name, segments.len(), "movements"), logit)
        };
        Logits {
            people: of("people's movements", &corpus.people),
            tools: of("tools' movements", &corpus.tools),
            thresholds: self.models.thresholds(),
        }
    }
}
