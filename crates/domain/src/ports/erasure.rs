//! Removing what is known of an address.

use super::StoreError;
use crate::secrets::{AddressDigest, IdempotencyDigest};
use crate::verdict::Tombstone;
use crate::vocabulary::{ContextId, EoaAddress};
use async_trait::async_trait;

/// An address to erase.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Erasure {
    /// The address.
    pub address: EoaAddress,
    /// Every context, with what stands for the address there.
    pub scopes: Vec<ErasureScope>,
    /// Whether to change nothing and only to count what would go.
    pub dry_run: bool,
}

/// What stands for the address in a context; stores know no secrets, so they are told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ErasureScope {
    /// The context.
    pub context: ContextId,
    /// The digest under which a tombstone of the address is kept there.
    pub digest: AddressDigest,
    /// The digest of the parameters of a lookup of the address there.
    pub claim: IdempotencyDigest,
}

/// What went, or would go.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ErasureCounts {
    /// Verdicts.
    pub verdicts: u64,
    /// Events of their timelines.
    pub events: u64,
    /// Openings of ledger rows.
    pub ledger_addresses: u64,
    /// Answers kept for idempotency keys. Those whose time is over go, too, and are not counted.
    pub idempotency_records: u64,
    /// Receipts of checks.
    pub receipts: u64,
    /// Labels.
    pub labels: u64,
    /// Batches of evidence.
    pub batches: u64,
    /// Checks in indices of traces, memberships in clusters, and places in operators' clusters.
    pub links: u64,
    /// The contexts in which a tombstone is left, in the order in which they were given.
    pub tombstones: Vec<ContextId>,
}

/// Erases addresses.
#[async_trait]
pub trait ErasureStore: Send + Sync {
    /// Removes what is known of an address, in many steps, so that other calls go on meanwhile; each looks once more at what it
    /// removes. What another call adds meanwhile comes after the erase, and may stay.
    ///
    /// An erase that was broken off has removed some of it and lost no flag: a verdict goes and its tombstone comes in one
    /// step. Made again, it removes the rest.
    ///
    /// - `erase_removes_all_personal_data`: verdicts, timelines, labels, openings, answers kept for idempotency keys, receipts, links and
    ///   evidence of the address are gone, in the contexts that are named and in every environment.
    /// - `erase_keeps_the_flag`: where the address was flagged, [`Tombstone::left_in`] says what is left, under the place's
    ///   digest; lookups go on answering from it, whatever checks follow.
    /// - `erase_never_interrupts_answers`: a lookup that is made meanwhile is answered from the verdict or from the tombstone, never from neither.
    /// - `erase_keeps_the_ledger`: rows, chains and meters stay as they are, and so do all other addresses.
    /// - `erase_keeps_challenges_used`: a check that was concluded stays so, without its receipt.
    /// - `erase_can_be_repeated`: a second erase finds nothing to remove, and leaves the tombstones.
    /// - `dry_run_changes_nothing`: a dry run says what an erase would say, and changes nothing.
    async fn erase(&self, erasure: &Erasure) -> Result<ErasureCounts, StoreError>;

    /// What an erase has left in a context under this digest.
    async fn tombstone(&self, context: &ContextId, digest: AddressDigest) -> Result<Option<Tombstone>, StoreError>;
}
