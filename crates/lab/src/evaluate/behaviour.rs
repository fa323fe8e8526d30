//! The behaviour model, out of fold: who or what trained a model is never judged by it.

use crate::corpus::Corpus;
use crate::corpus::pointer::Segment;
use anyhow::Result;
use voight_detect::RuleAssessor;

/// Models for every segment.
pub struct Behaviour {
    service: RuleAssessor,
}

/// The log-odds of a bot for each segment, `None` where the model says nothing.
pub(super) struct Logits {
    pub(super) people: Vec<Option<f64>>,
    pub(super) tools: Vec<Option<f64>>,
    pub(super) one: Option<f64>,
    pub(super) three: Option<f64>,
}

impl Behaviour {
    /// The committed models.
    pub fn load() -> Result<Self> {
        Ok(Self { service: RuleAssessor::new() })
    }

    /// The version of the model.
    pub fn version(&self) -> u32 {
        0
    }

    /// The assessor of the service.
    pub fn service(&self) -> &RuleAssessor {
        &self.service
    }

    /// An assessor that did not learn from this segment.
    pub(super) fn assessor(&self, _segment: &Segment) -> &RuleAssessor {
        &self.service
    }

    /// What the models say of the corpus: nothing, while none is trained.
    #[expect(clippy::unused_self, reason = "the models come with the trainer")]
    pub(super) fn logits(&self, corpus: &Corpus) -> Logits {
        Logits {
            people: vec![None; corpus.people.len()],
            tools: vec![None; corpus.tools.len()],
            one: None,
            three: None,
        }
    }
}
