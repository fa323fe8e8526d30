//! Port of snapshots: jobs that look up long lists of addresses.

use super::StoreError;
use crate::snapshot::{
    Snapshot, SnapshotChange, SnapshotCreation, SnapshotSlice, SnapshotStateError,
};
use crate::vocabulary::{ClientId, SnapshotId};
use async_trait::async_trait;

/// Result of a change: the snapshot after it, or the reason why its state does not allow the change.
pub type SnapshotOutcome = Result<Snapshot, SnapshotStateError>;

/// Stores snapshots.
#[async_trait]
pub trait SnapshotStore: Send + Sync {
    /// Returns the maximum number of addresses of a slice. A slice is one transaction: more addresses make a job faster, and delay the
    /// lookups beside it.
    fn slice_addresses(&self) -> usize {
        500
    }

    /// Stores a new snapshot.
    ///
    /// Reads the snapshot with the same id and the number of the client's snapshots, calls [`Snapshot::creation`], and writes
    /// the result, in one transaction.
    ///
    /// - `snapshot_is_created_once`: a repeated call with the same id changes nothing.
    /// - `snapshot_limit_is_exact`: under any concurrency a client has at most
    ///   [`MAX_SNAPSHOTS`](crate::snapshot::MAX_SNAPSHOTS) snapshots.
    async fn create_snapshot(&self, snapshot: Snapshot) -> Result<SnapshotCreation, StoreError>;

    /// Returns a snapshot of a client.
    ///
    /// - `snapshot_is_of_one_client`: the snapshot of another client is `None`.
    async fn snapshot(
        &self,
        client: ClientId,
        id: SnapshotId,
    ) -> Result<Option<Snapshot>, StoreError>;

    /// Returns at most `limit` snapshots of a client after `after`, in the order of their ids, which is that of their times.
    ///
    /// - `snapshots_are_paged_in_order`: the pages together hold every snapshot of the client once.
    async fn snapshots(
        &self,
        client: ClientId,
        after: Option<SnapshotId>,
        limit: usize,
    ) -> Result<Vec<Snapshot>, StoreError>;

    /// Returns a slice of a snapshot.
    async fn snapshot_slice(
        &self,
        client: ClientId,
        id: SnapshotId,
        index: u32,
    ) -> Result<Option<SnapshotSlice>, StoreError>;

    /// Applies a change at the adapter's own clock; `None` if the snapshot does not exist.
    ///
    /// Reads the snapshot, the slice of [`Snapshot::slice_to_process`], the key, the context, the meter, and the verdicts and
    /// tombstones of the addresses of the slice; calls [`Snapshot::decide`]; and writes the result.
    ///
    /// - `snapshot_step_is_atomic`: the snapshot, the slice and the ledger rows of its addresses are written together or not
    ///   at all.
    /// - `snapshot_bills_each_address_once`: under any concurrency, of continued jobs and of lookups, the ledger has one row
    ///   for each row of the snapshot, and stays gapless and chained.
    /// - `snapshot_equals_lookups`: answers and charges are those of lookups of the addresses in ascending order.
    /// - `snapshot_pauses`: the job of a revoked key or a suspended client adds no row until it is accepted again.
    /// - `snapshot_reads_verdicts_again`: finalising replaces changed answers and keeps those of the draft.
    /// - `snapshot_state_is_enforced`: a change that the state does not allow changes nothing.
    async fn change_snapshot(
        &self,
        client: ClientId,
        id: SnapshotId,
        change: SnapshotChange,
    ) -> Result<Option<SnapshotOutcome>, StoreError>;

    /// Deletes a snapshot with its slices; returns `false` if it does not exist. Its ledger rows stay.
    ///
    /// - `deleted_snapshot_leaves_nothing`: no slice can be read afterwards, not even of an interrupted upload.
    async fn delete_snapshot(&self, client: ClientId, id: SnapshotId) -> Result<bool, StoreError>;
}
