//! Assessor for tests that send no evidence.

use voight_domain::check::Disclosure;
use voight_domain::ports::{
    Assessor, BatchSummary, CheckEvidence, DrawTarget, EvidenceError, JudgedCheck,
};

/// Assessor that rejects all evidence.
pub(crate) struct RejectingAssessor;

impl Assessor for RejectingAssessor {
    fn summarise_batch(&self, _: &[u8]) -> Result<BatchSummary, EvidenceError> {
        Err(EvidenceError("this test takes no evidence".to_owned()))
    }

    fn judge(
        &self,
        _: &CheckEvidence<'_>,
        _: &DrawTarget<'_>,
    ) -> Result<JudgedCheck, EvidenceError> {
        Err(EvidenceError("this test takes no evidence".to_owned()))
    }

    fn disclose(&self) -> &'static [Disclosure] {
        &[]
    }
}
