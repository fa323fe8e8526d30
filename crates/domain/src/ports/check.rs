//! Concluding checks.

use super::StoreError;
use crate::check::{CheckConclusion, ConcludeOutcome, Concluded};
use crate::verdict::{Event, Verdict};
use crate::vocabulary::{CheckId, ContextId, EoaAddress, Timestamp};
use async_trait::async_trait;

/// Concludes checks and keeps verdicts.
#[async_trait]
pub trait CheckStore: Send + Sync {
    /// Concludes a check in one atomic step: reads how it was concluded before, whether its inputs were seen in this
    /// context, the context, the verdict and what the context knows of links; calls [`conclude`](crate::check::conclude) at the adapter's own clock; and
    /// writes its step whole, inputs and links included.
    ///
    /// - `conclude_is_atomic`: burnt challenge, verdict, inputs and event are written together or not at all.
    /// - `conclude_is_idempotent`: the same conclusion again returns the first receipt and changes nothing.
    /// - `conclude_once_under_concurrency`: of conclusions of one check at the same time, one is counted.
    /// - `duplicate_input_is_refused`: an input that another check of the context presented is refused; in another
    ///   context it is not.
    /// - `refused_check_adds_nothing`: a refusal burns the challenge, is kept as an event, and leaves the verdict alone.
    /// - `verdict_is_sticky`: a flag stays through later conclusions, in its layer and epoch.
    /// - `layer_change_is_recorded`: the check that moves the answer to the bound layer is followed by an event that says so.
    /// - `contexts_are_apart`: a verdict in one context leaves every other context alone.
    async fn conclude(&self, conclusion: CheckConclusion) -> Result<ConcludeOutcome, StoreError>;

    /// How a check was concluded, if it was.
    async fn concluded(&self, check: CheckId) -> Result<Option<Concluded>, StoreError>;

    /// Forgets how checks that were opened before `opened_before` were concluded: at most `limit`, oldest first; returns
    /// how many. A forgotten check could be concluded again, so the time given is one by which the challenges have long
    /// expired, whatever the clock did since, and the evidence is settled or gone.
    ///
    /// - `old_conclusions_are_purged`: exactly the conclusions of checks that old go; verdicts, events and inputs stay.
    async fn sweep(&self, opened_before: Timestamp, limit: usize) -> Result<usize, StoreError>;

    /// The verdict on an address in a context.
    async fn verdict(&self, context: &ContextId, address: &EoaAddress) -> Result<Option<Verdict>, StoreError>;

    /// What happened to that verdict: the latest `limit` events, oldest first.
    ///
    /// - `timeline_is_in_order`: events are in the order in which they were written.
    async fn timeline(&self, context: &ContextId, address: &EoaAddress, limit: usize)
    -> Result<Vec<Event>, StoreError>;
}
