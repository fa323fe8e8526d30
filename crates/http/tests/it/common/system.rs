//! Manual time, deterministic randomness, and an assessor for tests that send no evidence.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::time::Duration;
use voight_domain::check::Disclosure;
use voight_domain::ports::{
    Assessor, BatchSummary, CheckEvidence, Clock, DrawTarget, Entropy, EvidenceError, JudgedCheck,
};
use voight_domain::vocabulary::Timestamp;

/// 21 November 2026, 10:00 UTC.
const START: Timestamp = Timestamp::from_millis(1_795_255_200_000);

/// Time since the start of a test, with adjustments of the wall clock.
#[derive(Default)]
pub(crate) struct ManualTime {
    elapsed: AtomicU64,
    /// Offset of the wall clock from that time, in milliseconds.
    lead: AtomicI64,
}

impl ManualTime {
    pub(crate) fn advance(&self, span: Duration) {
        self.elapsed.fetch_add(u64::try_from(span.as_millis()).unwrap(), Ordering::SeqCst);
    }

    /// Sets the wall clock only.
    pub(crate) fn set_clock(&self, to: Timestamp) {
        let lead = to.as_millis() - START.saturating_add(self.elapsed()).as_millis();
        self.lead.store(lead, Ordering::SeqCst);
    }

    pub(crate) fn elapsed(&self) -> Duration {
        Duration::from_millis(self.elapsed.load(Ordering::SeqCst))
    }
}

pub(crate) struct ManualClock(pub(crate) Arc<ManualTime>);

impl Clock for ManualClock {
    fn now(&self) -> Timestamp {
        Timestamp::from_millis(START.saturating_add(self.0.elapsed()).as_millis() + self.0.lead.load(Ordering::SeqCst))
    }
}

/// Source of bytes that differ at every call, and are the same in every run.
#[derive(Default)]
pub(crate) struct Counter(AtomicU64);

impl Entropy for Counter {
    fn fill(&self, bytes: &mut [u8]) {
        for chunk in bytes.chunks_mut(8) {
            let mixed = (self.0.fetch_add(1, Ordering::SeqCst) + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            chunk.copy_from_slice(&mixed.to_be_bytes()[..chunk.len()]);
        }
    }
}

/// Assessor that rejects all evidence.
pub(crate) struct RejectingAssessor;

impl Assessor for RejectingAssessor {
    fn summarise_batch(&self, _: &[u8]) -> Result<BatchSummary, EvidenceError> {
        Err(EvidenceError("this test takes no evidence".to_owned()))
    }

    fn judge(&self, _: &CheckEvidence<'_>, _: &DrawTarget<'_>) -> Result<JudgedCheck, EvidenceError> {
        Err(EvidenceError("this test takes no evidence".to_owned()))
    }

    fn disclose(&self) -> &'static [Disclosure] {
        &[]
    }
}
