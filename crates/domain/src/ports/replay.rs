//! Port of replays: replaces verdicts that were re-evaluated.

use super::StoreError;
use crate::registry::AuditEntry;
use crate::verdict::{Layer, Verdict};
use crate::vocabulary::{ContextId, EoaAddress};
use async_trait::async_trait;

/// Replacement of a verdict by the result of its checks under another policy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VerdictReplacement {
    /// The context.
    pub context: ContextId,
    /// The address.
    pub address: EoaAddress,
    /// The verdict that was re-evaluated.
    pub before: Verdict,
    /// The re-evaluated layer of checks with proof of ownership.
    pub owned: Layer,
    /// The re-evaluated layer of checks without proof of ownership.
    pub unverified: Layer,
    /// The version of the policy.
    pub policy: u32,
    /// The operator's reason, as free text.
    pub reason: String,
}

/// Replaces verdicts.
#[async_trait]
pub trait ReplayStore: Send + Sync {
    /// Opens a new epoch with the given layers ([`Verdict::replaced`]) at the adapter's own clock.
    ///
    /// The epoch, its event and its audit entry are written in one transaction.
    ///
    /// - `replacement_opens_an_epoch`: the epoch rises by one, and the layers are the given ones.
    /// - `replacement_needs_what_it_replaces`: if the stored verdict differs from the re-evaluated one, the call
    ///   returns `None` and changes nothing.
    async fn replace_verdict(
        &self,
        change: VerdictReplacement,
        audit: AuditEntry,
    ) -> Result<Option<Verdict>, StoreError>;
}
