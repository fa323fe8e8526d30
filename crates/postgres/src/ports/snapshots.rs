//! Snapshots: jobs that look up long lists of addresses.

use crate::PostgresStore;
use crate::batch::change_snapshot;
use crate::common;
use crate::connection::Transaction;
use crate::error::{Error, not_found};
use crate::sql::snapshots;
use crate::value::{RowExt, values};
use async_trait::async_trait;
use voight_domain::ports::{SnapshotOutcome, SnapshotStore, StoreError};
use voight_domain::snapshot::{
    MAX_SNAPSHOTS, Snapshot, SnapshotChange, SnapshotCreation, SnapshotSlice,
};
use voight_domain::vocabulary::{ClientId, SnapshotId};
use voight_encoding::Encode;

#[async_trait]
impl SnapshotStore for PostgresStore {
    async fn create_snapshot(&self, snapshot: Snapshot) -> Result<SnapshotCreation, StoreError> {
        self.write(snapshot, |transaction, snapshot| {
            Box::pin(create(transaction, snapshot))
        })
        .await
    }

    async fn snapshot(
        &self,
        client: ClientId,
        id: SnapshotId,
    ) -> Result<Option<Snapshot>, StoreError> {
        self.read((client, id), |transaction, (client, id)| {
            Box::pin(fetch(transaction, *client, *id))
        })
        .await
    }

    async fn snapshots(
        &self,
        client: ClientId,
        after: Option<SnapshotId>,
        limit: usize,
    ) -> Result<Vec<Snapshot>, StoreError> {
        self.read(
            (client, after, limit),
            |transaction, (client, after, limit)| {
                Box::pin(list(transaction, *client, *after, *limit))
            },
        )
        .await
    }

    async fn snapshot_slice(
        &self,
        client: ClientId,
        id: SnapshotId,
        index: u32,
    ) -> Result<Option<SnapshotSlice>, StoreError> {
        self.read((client, id, index), |transaction, (client, id, index)| {
            Box::pin(slice(transaction, *client, *id, *index))
        })
        .await
    }

    async fn change_snapshot(
        &self,
        client: ClientId,
        id: SnapshotId,
        change: SnapshotChange,
    ) -> Result<Option<SnapshotOutcome>, StoreError> {
        self.write((client, id, change), |transaction, (client, id, change)| {
            Box::pin(change_snapshot(transaction, *client, *id, change))
        })
        .await
    }

    async fn delete_snapshot(&self, client: ClientId, id: SnapshotId) -> Result<bool, StoreError> {
        self.write((client, id), |transaction, (client, id)| {
            Box::pin(delete(transaction, *client, *id))
        })
        .await
    }
}

/// Stores a new snapshot. The locked client serialises the creations of its snapshots.
async fn create(transaction: &Transaction, snapshot: &Snapshot) -> Result<SnapshotCreation, Error> {
    let client = snapshot.client;
    common::lock_client(transaction, client)
        .await?
        .ok_or_else(|| not_found("client", client))?;
    let previous_snapshot = fetch(transaction, client, snapshot.id).await?;
    let count = list(transaction, client, None, MAX_SNAPSHOTS).await?.len();
    let creation = snapshot.clone().creation(previous_snapshot, count);
    if let SnapshotCreation::Created(new_snapshot) = &creation {
        let values = values![
            client,
            &new_snapshot.id.to_bytes()[..],
            new_snapshot.encode()
        ];
        transaction.enqueue_write(snapshots::ADD_SNAPSHOT, values);
    }
    Ok(creation)
}

async fn fetch(
    transaction: &Transaction,
    client: ClientId,
    id: SnapshotId,
) -> Result<Option<Snapshot>, Error> {
    transaction.set_client(client);
    transaction
        .fetch(snapshots::SNAPSHOT, values![client, &id.to_bytes()[..]])
        .await
}

async fn list(
    transaction: &Transaction,
    client: ClientId,
    previous_id: Option<SnapshotId>,
    limit: usize,
) -> Result<Vec<Snapshot>, Error> {
    transaction.set_client(client);
    let previous_id = previous_id
        .map(|id| id.to_bytes().to_vec())
        .unwrap_or_default();
    let rows = transaction
        .rows(snapshots::SNAPSHOTS, values![client, previous_id, limit])
        .await?;
    rows.iter().map(|row| row.record(0)).collect()
}

async fn slice(
    transaction: &Transaction,
    client: ClientId,
    id: SnapshotId,
    index: u32,
) -> Result<Option<SnapshotSlice>, Error> {
    transaction.set_client(client);
    transaction
        .fetch(snapshots::SLICE, values![client, &id.to_bytes()[..], index])
        .await
}

async fn delete(
    transaction: &Transaction,
    client: ClientId,
    id: SnapshotId,
) -> Result<bool, Error> {
    transaction.set_client(client);
    let key = values![client, &id.to_bytes()[..]];
    let locked_snapshot: Option<Snapshot> = transaction
        .fetch(snapshots::LOCK_SNAPSHOT, key.clone())
        .await?;
    if locked_snapshot.is_some() {
        transaction.enqueue_write(snapshots::DROP_SLICES, key.clone());
        transaction.enqueue_write(snapshots::DROP_SNAPSHOT, key);
    }
    Ok(locked_snapshot.is_some())
}
