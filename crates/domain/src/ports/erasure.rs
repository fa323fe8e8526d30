//! Port of erasure: deletes the data of an address.

use super::StoreError;
use crate::secrets::{AddressDigest, IdempotencyDigest};
use crate::verdict::Tombstone;
use crate::vocabulary::{ContextId, EoaAddress};
use async_trait::async_trait;

/// Erasure request for one address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Erasure {
    /// The address.
    pub address: EoaAddress,
    /// Every context, with the digests of the address in it.
    pub scopes: Vec<ErasureScope>,
    /// Effect of the call.
    pub mode: EraseMode,
}

/// Effect of an erasure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EraseMode {
    /// Counts the records that would be deleted, and changes nothing.
    DryRun,
    /// Deletes the records.
    Execute,
}

/// Digests of an address in one context. Stores hold no secrets, so the caller computes the digests.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ErasureScope {
    /// The context.
    pub context: ContextId,
    /// The digest of the address in that context, under which a tombstone is stored.
    pub digest: AddressDigest,
    /// The fingerprint of a lookup of the address, by which its idempotency records are found.
    pub request_fingerprint: IdempotencyDigest,
}

/// Numbers of records that an erasure deleted, or would delete.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ErasureCounts {
    /// Verdicts.
    pub verdicts: u64,
    /// Events of the timelines of these verdicts.
    pub events: u64,
    /// Openings of ledger rows.
    pub ledger_addresses: u64,
    /// Idempotency records. Expired ones are deleted, too, and not counted.
    pub idempotency_records: u64,
    /// Receipts of checks.
    pub receipts: u64,
    /// Labels.
    pub labels: u64,
    /// Batches of evidence.
    pub batches: u64,
    /// Checks in fingerprint indices, memberships in clusters, and assignments to operators' clusters.
    pub links: u64,
    /// Rows of snapshots.
    pub snapshot_rows: u64,
    /// Events of clients, which stay without the address and the answer.
    pub client_events: u64,
    /// Responses in the delivery logs of webhook endpoints. The records stay without them.
    pub deliveries: u64,
    /// The contexts in which the erasure leaves a tombstone, in the order of the request.
    pub tombstones: Vec<ContextId>,
}

/// Erases addresses.
#[async_trait]
pub trait ErasureStore: Send + Sync {
    /// Deletes the data of an address in many transactions, so that other calls continue meanwhile.
    ///
    /// Each transaction verifies once more what it deletes. Data that another call adds meanwhile may stay. An
    /// interrupted erasure has deleted part of the data and lost no flag: one transaction deletes the verdict and
    /// writes its tombstone. A repeat deletes the rest.
    ///
    /// - `erase_removes_all_personal_data`: verdicts, timelines, labels, openings, idempotency records, receipts, links,
    ///   evidence and snapshot rows of the address are deleted, its events have no address, and no stored response of a webhook receiver contains it, in the named contexts and in every environment.
    /// - `erase_keeps_the_flag`: for a flagged address a tombstone ([`Tombstone::for_erased`]) is stored under the
    ///   digest of its scope; it answers lookups, whatever checks follow.
    /// - `erase_never_interrupts_answers`: a concurrent lookup is answered from the verdict or from the tombstone,
    ///   never from neither.
    /// - `erase_keeps_the_ledger`: rows, chains and meters do not change, and neither do the data of other addresses.
    /// - `erase_keeps_challenges_used`: a concluded check stays concluded, without its receipt.
    /// - `erase_can_be_repeated`: a second erasure deletes nothing, and leaves the tombstones.
    /// - `dry_run_changes_nothing`: a dry run returns the counts of an erasure, and changes nothing.
    async fn erase(&self, erasure: &Erasure) -> Result<ErasureCounts, StoreError>;

    /// Returns the tombstone that an erasure has left in a context under this digest.
    async fn tombstone(
        &self,
        context: &ContextId,
        digest: AddressDigest,
    ) -> Result<Option<Tombstone>, StoreError>;
}
