//! Assessor for tests that send no evidence.

use voight_domain::check::Disclosure;
use voight_domain::ports::{Assessor, BatchSummary, CheckEvidence, EvidenceError, Judgement};
use voight_domain::verdict::Assessment;

/// Assessor that rejects all evidence.
pub(crate) struct RejectingAssessor;

impl Assessor for RejectingAssessor {
    fn summarise_batch(&self, _: &[u8]) -> Result<BatchSummary, EvidenceError> {
        Err(EvidenceError("this test takes no evidence".to_owned()))
    }

    fn judge(&self, _: &CheckEvidence<'_>) -> Judgement {
        Judgement::Assessed(Assessment::default())
    }

    fn disclose(&self) -> &'static [Disclosure] {
        &[]
    }
}
