//! Port of checks: concludes them and stores verdicts.

use super::StoreError;
use crate::check::{CheckConclusion, ConcludeOutcome, Concluded};
use crate::verdict::{Event, Verdict};
use crate::vocabulary::{CheckId, ContextId, EoaAddress, Timestamp};
use async_trait::async_trait;

/// Concludes checks and stores verdicts.
#[async_trait]
pub trait CheckStore: Send + Sync {
    /// Concludes a check in one transaction.
    ///
    /// Reads the previous conclusion of the check, earlier uses of its inputs in this context, the context, the verdict
    /// and the context's link data; calls [`conclude`](crate::check::conclude) at the adapter's own clock; and writes
    /// the complete result, inputs and links included.
    ///
    /// - `conclude_is_atomic`: used challenge, verdict, inputs and events are written together or not at all.
    /// - `conclude_is_idempotent`: a repeat of the same conclusion returns the first receipt and changes nothing.
    /// - `conclude_once_under_concurrency`: of concurrent conclusions of one check exactly one is counted.
    /// - `duplicate_input_is_rejected`: an input that another check of the same context presented is rejected; in
    ///   another context it is accepted.
    /// - `rejected_check_adds_nothing`: a rejection uses up the challenge, is stored as an event, and does not change
    ///   the verdict.
    /// - `verdict_is_sticky`: a flag stays through later conclusions, in its layer and epoch.
    /// - `layer_change_is_recorded`: the check that moves the answer to the owned layer is followed by an event that
    ///   records the change.
    /// - `contexts_are_apart`: a verdict in one context changes no other context.
    async fn conclude(&self, conclusion: CheckConclusion) -> Result<ConcludeOutcome, StoreError>;

    /// Returns the conclusion of a check, if it has one.
    async fn concluded(&self, check: CheckId) -> Result<Option<Concluded>, StoreError>;

    /// Deletes the conclusions of checks that were opened before `opened_before`, oldest first.
    ///
    /// Deletes at most `limit` conclusions and returns their number. A check without a stored conclusion could be
    /// concluded again, so the caller passes a time by which the challenges have long expired, whatever the clock did
    /// since, and the evidence is judged or deleted.
    ///
    /// - `old_conclusions_are_purged`: exactly the conclusions of these checks are deleted; verdicts, events and inputs
    ///   stay.
    async fn sweep(&self, opened_before: Timestamp, limit: usize) -> Result<usize, StoreError>;

    /// Returns the verdict on an address in a context.
    async fn verdict(
        &self,
        context: &ContextId,
        address: &EoaAddress,
    ) -> Result<Option<Verdict>, StoreError>;

    /// Returns the latest `limit` events of a verdict, oldest first.
    ///
    /// - `timeline_is_in_order`: events are in the order in which they were written.
    async fn timeline(
        &self,
        context: &ContextId,
        address: &EoaAddress,
        limit: usize,
    ) -> Result<Vec<Event>, StoreError>;
}
