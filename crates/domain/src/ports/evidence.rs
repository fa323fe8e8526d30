//! Raw evidence, kept apart from verdicts and ledger.

use super::StoreError;
use crate::check::EvidenceBatch;
use crate::vocabulary::{CheckId, Timestamp};
use async_trait::async_trait;

/// What became of a batch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Appended {
    /// It is kept.
    Kept,
    /// A batch of this number is there already; that one stays as it is.
    AlreadyThere,
}

/// Keeps raw evidence within a budget of bytes. A flood of evidence never stops a lookup: it has its own file or tables.
#[async_trait]
pub trait EvidenceStore: Send + Sync {
    /// Keeps one batch.
    ///
    /// - `batch_number_is_kept_once`: of batches with the same check and number, at any concurrency, one is kept.
    /// - `evidence_is_bounded`: when the budget of bytes is exceeded, the oldest checks' evidence is evicted.
    async fn append(&self, batch: EvidenceBatch) -> Result<Appended, StoreError>;

    /// The batches of a check in the order of their numbers.
    async fn batches(&self, check: CheckId) -> Result<Vec<EvidenceBatch>, StoreError>;

    /// Checks with evidence that were opened before `opened_before` and not settled; at most `limit`, oldest first.
    async fn unsettled(&self, opened_before: Timestamp, limit: usize) -> Result<Vec<CheckId>, StoreError>;

    /// Marks a check as judged; does nothing if it has no evidence.
    ///
    /// - `settled_check_is_not_named`: [`unsettled`](Self::unsettled) no longer names it, whatever comes in later, and its
    ///   evidence stays.
    async fn settle(&self, check: CheckId) -> Result<(), StoreError>;

    /// Removes the evidence of checks opened before `opened_before`, at most `limit` checks; returns how many.
    ///
    /// - `eviction_takes_the_oldest`: the checks opened first go first, settled or not, each with all of its batches.
    async fn evict(&self, opened_before: Timestamp, limit: usize) -> Result<usize, StoreError>;
}
