//! Port of raw evidence, which is stored apart from verdicts and ledger.

use super::StoreError;
use crate::check::EvidenceBatch;
use crate::vocabulary::{CheckId, Timestamp};
use async_trait::async_trait;
use std::time::Duration;

/// Result of appending a batch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AppendOutcome {
    /// The batch is stored.
    Stored,
    /// The batch does not have the next number of its check. The stored batches do not change.
    OutOfOrder,
}

/// Stores raw evidence within a budget of bytes. A flood of evidence never stops a lookup: evidence has its own file or
/// tables.
#[async_trait]
pub trait EvidenceStore: Send + Sync {
    /// Stores one batch. `keep_until` is the end of its retention in the check's context.
    ///
    /// - `batch_number_is_kept_once`: of batches with the same check and number, at any concurrency, one is stored.
    /// - `batches_are_kept_in_order`: the first batch of a check has the number 1, and every other one the successor of
    ///   the last number.
    /// - `first_batch_sets_expiry`: the first batch of a check sets the expiry of all of its evidence.
    /// - `evidence_is_bounded`: when the budget of bytes is exceeded and no share of a network in a context is the
    ///   largest by itself, the evidence of the checks that were opened first is evicted, whatever its retention. By
    ///   order of expiry, a full budget would evict fresh evidence of a context with a retention of one day before
    ///   month-old evidence of another, and no check of the former could be judged.
    /// - `network_evicts_its_own_evidence`: evidence of the largest share is evicted first, as [`EvidenceShares`]
    ///   defines: evidence of one network, in one context or in many, evicts no evidence of networks that sent less.
    /// - `shares_survive_reopening`: the shares match the stored evidence, also after the store is opened again.
    /// - `context_evicts_its_own_evidence`: evidence that many networks send into one context evicts no evidence of
    ///   smaller contexts.
    /// - `large_and_small_batches_keep_their_order`: a batch is counted and evicted in the order of the batches of all
    ///   sizes. A store may write large batches differently from small ones.
    ///
    /// [`EvidenceShares`]: crate::check::EvidenceShares
    async fn append(
        &self,
        batch: EvidenceBatch,
        keep_until: Timestamp,
    ) -> Result<AppendOutcome, StoreError>;

    /// Returns the batches of a check in the order of their numbers.
    async fn batches(&self, check: CheckId) -> Result<Vec<EvidenceBatch>, StoreError>;

    /// Returns at most `limit` unjudged checks with evidence, opened before `opened_before`, oldest first.
    async fn unjudged_checks(
        &self,
        opened_before: Timestamp,
        limit: usize,
    ) -> Result<Vec<CheckId>, StoreError>;

    /// Marks a check as judged; does nothing if the check has no evidence.
    ///
    /// - `judged_check_is_not_listed`: [`unjudged_checks`](Self::unjudged_checks) no longer returns the check, whatever
    ///   batches follow, and its evidence stays.
    async fn mark_judged(&self, check: CheckId) -> Result<(), StoreError>;

    /// Deletes old evidence of at most `limit` checks; returns the number of these checks.
    ///
    /// These are checks whose own expiry is before `now`, and checks that were opened more than `retention` before
    /// `now`.
    ///
    /// - `eviction_removes_expired`: no other evidence is deleted; each check is deleted with all of its batches,
    ///   judged or not. Checks past their own expiry are deleted first, in the order of expiry, then the others in the
    ///   order of their opening.
    async fn evict(
        &self,
        now: Timestamp,
        retention: Duration,
        limit: usize,
    ) -> Result<usize, StoreError>;
}
