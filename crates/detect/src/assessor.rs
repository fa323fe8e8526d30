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
    Assessor, BatchSummary, CandidatePolicy, CheckEvidence, DrawTarget, EvidenceError,
    InvalidPolicy, JudgedCheck, Judgement, PolicyLoader,
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
        Self {
            policy,
            model: Model::released(),
        }
    }

    /// Replaces the behaviour model.
    #[must_use]
    pub fn with_model(self, model: Arc<Model>) -> Self {
        Self { model, ..self }
    }

    /// Assesses evidence without the gate, for recordings of pages whose targets no server drew.
    ///
    /// The rest is as in [`judge`](Assessor::judge).
    ///
    /// # Errors
    ///
    /// A batch cannot be parsed.
    pub fn assess(&self, check: &CheckEvidence<'_>) -> Result<Assessment, EvidenceError> {
        Ok(self.assess_batches(check, parse(check.batches)?))
    }

    fn assess_batches(
        &self,
        check: &CheckEvidence<'_>,
        batches: Vec<ParsedBatch<'_>>,
    ) -> Assessment {
        assess(
            &CheckFacts::extract(check, batches),
            &self.model,
            &self.policy,
        )
    }
}

impl Default for RuleAssessor {
    fn default() -> Self {
        Self::new()
    }
}

impl Assessor for RuleAssessor {
    fn summarise_batch(&self, body: &[u8]) -> Result<BatchSummary, EvidenceError> {
        document(body).map(|document| summarise(&document))
    }

    fn judge(
        &self,
        check: &CheckEvidence<'_>,
        second_target: &DrawTarget<'_>,
    ) -> Result<JudgedCheck, EvidenceError> {
        let batches = parse(check.batches)?;
        let summaries: Vec<_> = batches
            .iter()
            .map(|batch| summarise(&batch.parsed))
            .collect();
        let second_target = summaries.first().and_then(second_target);
        let judgement = match rejection(check, second_target, &batches) {
            Some(reason) => Judgement::Rejected(reason),
            None => Judgement::Assessed(self.assess_batches(check, batches)),
        };
        Ok(JudgedCheck {
            judgement,
            inputs: summaries
                .iter()
                .filter_map(|summary| summary.input)
                .collect(),
        })
    }

    fn disclose(&self) -> &'static [Disclosure] {
        const { &EvidenceDocument::MEMBERS }
    }
}

/// Parses the batches of a check.
fn parse(batches: &[EvidenceBatch]) -> Result<Vec<ParsedBatch<'_>>, EvidenceError> {
    batches
        .iter()
        .map(|batch| {
            Ok(ParsedBatch {
                batch,
                parsed: document(&batch.body)?,
            })
        })
        .collect()
}

fn document(body: &[u8]) -> Result<EvidenceDocument, EvidenceError> {
    EvidenceDocument::read(body).map_err(|fault| EvidenceError(fault.to_string()))
}

impl PolicyLoader for RuleAssessor {
    fn candidate(&self, file: &[u8]) -> Result<CandidatePolicy, InvalidPolicy> {
        let policy =
            DetectionPolicy::read(file).map_err(|error| InvalidPolicy(error.to_string()))?;
        Ok(CandidatePolicy {
            version: policy.version(),
            assessor: Arc::new(Self::with_policy(policy)),
        })
    }
}
