//! Implementation of the domain's [`Assessor`] port.

use crate::batch_summary::summarise;
use crate::combine::assess;
use crate::evidence_schema::EvidenceDocument;
use crate::facts::CheckFacts;
use crate::gate::{ParsedBatch, rejection};
use crate::model::Model;
use crate::policy::DetectionPolicy;
use std::sync::Arc;
use voight_domain::check::{Disclosure, EvidenceBatch};
use voight_domain::ports::{
    Assessor, BatchSummary, CandidatePolicy, CheckEvidence, EvidenceError, InvalidPolicy, Judgement, PolicyLoader,
};
use voight_domain::verdict::Assessment;

/// Assessor of evidence in schema version 1: the gate, the rules of a policy, and a behaviour model.
#[derive(Debug, Clone)]
pub struct RuleAssessor {
    policy: DetectionPolicy,
    model: Arc<Model>,
}

impl RuleAssessor {
    /// Creates the assessor of this release. It is stateless, so one instance serves all threads.
    pub fn new() -> Self {
        Self::with_policy(DetectionPolicy::built_in())
    }

    /// Creates an assessor that applies `policy`.
    pub fn with_policy(policy: DetectionPolicy) -> Self {
        Self { policy, model: Model::released() }
    }

    /// Replaces the behaviour model.
    #[must_use]
    pub fn with_model(self, model: Arc<Model>) -> Self {
        Self { model, ..self }
    }

    /// Assesses evidence without the gate, for recordings of pages whose targets no server drew.
    ///
    /// The rest is as in [`judge`](Assessor::judge).
    pub fn assess(&self, check: &CheckEvidence<'_>) -> Assessment {
        self.assess_batches(read(check), check.completed)
    }

    fn assess_batches(&self, kept: Vec<ParsedBatch<'_>>, completed: bool) -> Assessment {
        assess(&CheckFacts::extract(kept, completed, &self.model), &self.policy)
    }
}

impl Default for RuleAssessor {
    fn default() -> Self {
        Self::new()
    }
}

impl Assessor for RuleAssessor {
    fn summarise_batch(&self, body: &[u8]) -> Result<BatchSummary, EvidenceError> {
        EvidenceDocument::read(body).map(|batch| summarise(&batch)).map_err(|fault| EvidenceError(fault.to_string()))
    }

    fn judge(&self, check: &CheckEvidence<'_>) -> Judgement {
        let kept = read(check);
        match rejection(check, &kept) {
            Some(reason) => Judgement::Refused(reason),
            None => Judgement::Assessed(self.assess_batches(kept, check.completed)),
        }
    }

    fn disclose(&self) -> &'static [Disclosure] {
        const { &EvidenceDocument::MEMBERS }
    }
}

/// Parses the batches of a check. Bodies were validated on arrival, so a body that does not parse was written by another
/// release and
/// is treated as missing.
fn read<'a>(check: &CheckEvidence<'a>) -> Vec<ParsedBatch<'a>> {
    let kept =
        |batch: &'a EvidenceBatch| Some(ParsedBatch { batch, parsed: EvidenceDocument::read(&batch.body).ok()? });
    check.batches.iter().filter_map(kept).collect()
}

impl PolicyLoader for RuleAssessor {
    fn candidate(&self, file: &[u8]) -> Result<CandidatePolicy, InvalidPolicy> {
        let policy = DetectionPolicy::read(file).map_err(|error| InvalidPolicy(error.to_string()))?;
        Ok(CandidatePolicy { version: policy.version(), assessor: Arc::new(Self::with_policy(policy)) })
    }
}
