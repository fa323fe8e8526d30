//! Verdicts that were judged again.

use super::StoreError;
use crate::registry::AuditEntry;
use crate::verdict::{Layer, Verdict};
use crate::vocabulary::{ContextId, EoaAddress};
use async_trait::async_trait;

/// What the same checks say under another policy, in place of what they said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VerdictReplacement {
    /// The context.
    pub context: ContextId,
    /// The address.
    pub address: EoaAddress,
    /// The verdict that was judged again.
    pub before: Verdict,
    /// What bound checks say now.
    pub bound: Layer,
    /// What claimed checks say now.
    pub claimed: Layer,
    /// The version of the policy.
    pub policy: u32,
    /// Why, in the operator's words.
    pub reason: String,
}

/// Replaces verdicts.
#[async_trait]
pub trait ReplayStore: Send + Sync {
    /// Opens a new epoch with the layers given ([`Verdict::replaced`]) at the adapter's own clock, with its event and audit
    /// entry, in one step.
    ///
    /// - `replacement_opens_an_epoch`: the epoch rises by one, and the layers are those given.
    /// - `replacement_needs_what_it_replaces`: where the verdict is another than the one that was judged again, the answer is
    ///   `None` and nothing changes.
    async fn replace_verdict(
        &self,
        change: VerdictReplacement,
        audit: AuditEntry,
    ) -> Result<Option<Verdict>, StoreError>;
}
