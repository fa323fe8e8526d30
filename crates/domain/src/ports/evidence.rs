//! Raw evidence, kept apart from verdicts and ledger.

use super::StoreError;
use crate::check::EvidenceBatch;
use crate::vocabulary::{CheckId, Timestamp};
use async_trait::async_trait;
use std::time::Duration;

/// What became of a batch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AppendOutcome {
    /// It is kept.
    Stored,
    /// It is not the next of its check. What is there stays as it is.
    OutOfOrder,
}

/// Keeps raw evidence within a budget of bytes. A flood of evidence never stops a lookup: it has its own file or tables.
#[async_trait]
pub trait EvidenceStore: Send + Sync {
    /// Keeps one batch; `keep_until` is the end of the time that the check's context grants its evidence.
    ///
    /// - `batch_number_is_kept_once`: of batches with the same check and number, at any concurrency, one is kept.
    /// - `batches_are_kept_in_order`: a check's first batch has the number 1, and each other one the number after the last's.
    /// - `first_batch_sets_expiry`: until when a check's evidence is kept is what was said with its first batch.
    /// - `evidence_is_bounded`: when the budget of bytes is exceeded and no share of a network in a context stands out, the
    ///   evidence of the checks that were opened first is evicted, however long it was to be kept. In the order of ends, a full
    ///   budget would take fresh evidence of a context that keeps it for a day before month-old evidence of another, and no check
    ///   of the former could be judged.
    /// - `network_evicts_its_own_evidence`: evidence of the largest share goes first, as [`EvidenceShares`] says: what one network
    ///   sends, into one context or into many, evicts nothing of networks that sent less.
    /// - `shares_survive_reopening`: the shares are those of the evidence that is stored, also after the store is opened again.
    /// - `context_evicts_its_own_evidence`: what many networks send into one context evicts nothing of smaller contexts.
    /// - `large_and_small_batches_keep_their_order`: a batch counts, and goes, with those before and behind it, whatever their
    ///   sizes. A store may write large ones another way than small ones.
    ///
    /// [`EvidenceShares`]: crate::check::EvidenceShares
    async fn append(&self, batch: EvidenceBatch, keep_until: Timestamp) -> Result<AppendOutcome, StoreError>;

    /// The batches of a check in the order of their numbers.
    async fn batches(&self, check: CheckId) -> Result<Vec<EvidenceBatch>, StoreError>;

    /// Checks with evidence that were opened before `opened_before` and not settled; at most `limit`, oldest first.
    async fn unjudged_checks(&self, opened_before: Timestamp, limit: usize) -> Result<Vec<CheckId>, StoreError>;

    /// Marks a check as judged; does nothing if it has no evidence.
    ///
    /// - `judged_check_is_not_listed`: [`unsettled`](Self::unsettled) no longer names it, whatever comes in later, and its
    ///   evidence stays.
    async fn mark_judged(&self, check: CheckId) -> Result<(), StoreError>;

    /// Removes the evidence of at most `limit` checks whose own end is before `now`, or that were opened more than
    /// `retention` before `now`; returns of how many.
    ///
    /// - `eviction_removes_expired`: nothing else goes; what goes does so settled or not, each check with all of its batches.
    ///   First go those past their own end, in the order of the ends, then the rest in the order of the openings.
    async fn evict(&self, now: Timestamp, retention: Duration, limit: usize) -> Result<usize, StoreError>;
}
