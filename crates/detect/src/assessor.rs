//! The domain's port.

use crate::combine::assess;
use crate::facts::Facts;
use crate::gate::{Kept, refusal};
use crate::reading::reading;
use crate::wire::Batch;
use voight_domain::check::EvidenceBatch;
use voight_domain::ports::{Assessor, BatchReading, CheckEvidence, EvidenceError, Judgement};

/// Reads evidence of schema version 1 and judges it by the gate and the rule table.
#[derive(Debug, Clone, Copy, Default)]
pub struct RuleAssessor;

impl RuleAssessor {
    /// The assessor. It keeps nothing, so one serves all threads.
    pub const fn new() -> Self {
        Self
    }
}

impl Assessor for RuleAssessor {
    fn read_batch(&self, body: &[u8]) -> Result<BatchReading, EvidenceError> {
        Batch::read(body).map(|batch| reading(&batch)).map_err(|fault| EvidenceError(fault.to_string()))
    }

    fn judge(&self, check: &CheckEvidence<'_>) -> Judgement {
        // Bodies were read before they were kept, so one that cannot be read now was written by another release: missing.
        let read = |batch: &EvidenceBatch| Batch::read(&batch.body).ok();
        let kept: Vec<Kept<'_>> =
            check.batches.iter().filter_map(|batch| Some(Kept { batch, read: read(batch)? })).collect();
        match refusal(check, &kept) {
            Some(reason) => Judgement::Refused(reason),
            None => Judgement::Assessed(assess(&Facts::of(kept, check.completed))),
        }
    }
}
