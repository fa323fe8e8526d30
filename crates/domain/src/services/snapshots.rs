//! Snapshots: the verdicts of long lists of addresses, for rewards.

use super::Ports;
use super::contexts::usable_context;
use super::read_all::read_clients;
use crate::metering::{DailyLookups, MeterRules};
use crate::ports::{Clock, Entropy, Store, StoreError};
use crate::registry::KeyWithClient;
use crate::retention::RetentionPolicy;
use crate::secrets::Secrets;
use crate::snapshot::{
    ListedAddress, MAX_SNAPSHOTS, RewardRule, SliceInput, Snapshot, SnapshotChange,
    SnapshotCreation, SnapshotManifest, SnapshotProgress, SnapshotRow, SnapshotSlice,
    SnapshotSource, SnapshotState, SnapshotStateError,
};
use crate::vocabulary::{ClientId, ContextId, IdempotencyKey, SnapshotId, Timestamp};
use std::sync::Arc;

/// Maximum number of addresses of an upload.
pub const MAX_SNAPSHOT_ADDRESSES: usize = 1_000_000;

/// Use cases of snapshots.
#[derive(Clone)]
pub struct SnapshotService {
    store: Arc<dyn Store>,
    clock: Arc<dyn Clock>,
    entropy: Arc<dyn Entropy>,
    secrets: Secrets,
    rules: MeterRules,
}

/// Request for a snapshot.
#[derive(Debug, Clone)]
pub struct NewSnapshot {
    /// The context.
    pub context: ContextId,
    /// The source of the addresses.
    pub source: SnapshotSource,
    /// The rule of the rewards.
    pub rewards: RewardRule,
    /// The caller's idempotency key.
    pub idempotency_key: Option<IdempotencyKey>,
}

/// Error of a use case of snapshots.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SnapshotError {
    /// The context does not exist, or the key may not use it.
    #[error("the context does not exist, or the key may not use it")]
    UnknownContext,
    /// The snapshot does not exist, is another client's, or has expired.
    #[error("there is no such snapshot; it may have expired")]
    NotFound,
    /// The client has the maximum number of snapshots.
    #[error("a client has at most {MAX_SNAPSHOTS} snapshots; delete one that is no longer needed")]
    TooMany,
    /// The idempotency key was used with other parameters.
    #[error("the idempotency key was used with other parameters")]
    IdempotencyKeyReused,
    /// The service lists the addresses of this snapshot.
    #[error(
        "the addresses of this snapshot are those of the context; only a snapshot with the source `upload` takes others"
    )]
    NoUpload,
    /// The upload to a sandbox has too many addresses.
    #[error(
        "a snapshot of a sandbox key has at most {} addresses, the lookups of its sandbox in a day; use a live key for more",
        DailyLookups::SANDBOX_LIMIT
    )]
    SandboxTooMany,
    /// The upload has no address.
    #[error("the upload has no address; send at least one")]
    Empty,
    /// The rows are not complete.
    #[error(
        "the rows are complete when the state is `draft` or `final`; ask for the state again later"
    )]
    NotReady,
    /// The state does not allow the change.
    #[error(transparent)]
    State(#[from] SnapshotStateError),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl SnapshotService {
    /// Creates the service with these ports and metering rules.
    pub fn new(ports: &Ports, rules: MeterRules) -> Self {
        let Ports {
            store,
            clock,
            entropy,
            secrets,
            ..
        } = ports.clone();
        Self {
            store,
            clock,
            entropy,
            secrets,
            rules,
        }
    }

    /// Creates a snapshot. A retry with the same idempotency key returns the first one.
    pub async fn create(
        &self,
        holder: &KeyWithClient,
        request: NewSnapshot,
    ) -> Result<Snapshot, SnapshotError> {
        let NewSnapshot {
            context,
            source,
            rewards,
            idempotency_key,
        } = request;
        usable_context(self.store.as_ref(), holder, &context)
            .await?
            .ok_or(SnapshotError::UnknownContext)?;
        let client = holder.client.id;
        let now = self.clock.now();
        // The id follows from the idempotency key, so a retry names the same snapshot at any node.
        let digest = |text: &str| self.secrets.snapshot_digest(client, text);
        let id = match &idempotency_key {
            Some(key) => SnapshotId::from_bytes(digest(key.as_str()).0),
            None => SnapshotId::new(now, self.entropy.bytes()),
        };
        let snapshot = Snapshot {
            id,
            client,
            environment: holder.key.environment,
            context,
            key: holder.key.id,
            row_digest: digest(&id.to_string()),
            source,
            rewards,
            created_at: now,
            progress: SnapshotProgress::BEGINNING,
        };
        match self.store.create_snapshot(snapshot.clone()).await? {
            SnapshotCreation::Created(created) => Ok(created),
            SnapshotCreation::LimitReached => Err(SnapshotError::TooMany),
            SnapshotCreation::Existing(stored) => {
                let repeated_snapshot = Snapshot {
                    created_at: stored.created_at,
                    progress: stored.progress,
                    ..snapshot
                };
                if stored == repeated_snapshot {
                    Ok(stored)
                } else {
                    Err(SnapshotError::IdempotencyKeyReused)
                }
            }
        }
    }

    /// Returns a snapshot of the caller's client and environment.
    pub async fn get(
        &self,
        holder: &KeyWithClient,
        id: SnapshotId,
    ) -> Result<Snapshot, SnapshotError> {
        let snapshot = self.store.snapshot(holder.client.id, id).await?;
        snapshot
            .filter(|snapshot| snapshot.environment == holder.key.environment)
            .ok_or(SnapshotError::NotFound)
    }

    /// Returns all snapshots of the caller's client and environment.
    pub async fn list(&self, holder: &KeyWithClient) -> Result<Vec<Snapshot>, SnapshotError> {
        let mut snapshots = self
            .store
            .snapshots(holder.client.id, None, MAX_SNAPSHOTS)
            .await?;
        snapshots.retain(|snapshot| snapshot.environment == holder.key.environment);
        snapshots.sort_by_key(|snapshot| (snapshot.created_at, snapshot.id));
        Ok(snapshots)
    }

    /// Stores the addresses of a snapshot and completes its upload. `addresses` are distinct and in ascending order.
    pub async fn upload(
        &self,
        snapshot: &Snapshot,
        addresses: &[ListedAddress],
    ) -> Result<Snapshot, SnapshotError> {
        if addresses.is_empty() {
            return Err(SnapshotError::Empty);
        }
        if snapshot.environment.is_test() && addresses.len() as u64 > DailyLookups::SANDBOX_LIMIT {
            return Err(SnapshotError::SandboxTooMany);
        }
        let attempt = self.begin_upload(snapshot).await?;
        let mut slices = 0;
        for chunk in addresses.chunks(self.store.slice_addresses()) {
            self.append(snapshot, attempt, slices, chunk.to_vec())
                .await?;
            slices += 1;
        }
        self.change(
            snapshot,
            SnapshotChange::CompleteUpload {
                attempt,
                slices,
                addresses: addresses.len() as u64,
            },
        )
        .await
    }

    /// Passes if addresses can be uploaded to the snapshot.
    pub fn accept_upload(snapshot: &Snapshot) -> Result<(), SnapshotError> {
        match (snapshot.source, snapshot.progress.state) {
            (SnapshotSource::Seen, _) => Err(SnapshotError::NoUpload),
            (SnapshotSource::Upload, SnapshotState::Uploading) => Ok(()),
            (SnapshotSource::Upload, _) => Err(SnapshotStateError::NotUploading.into()),
        }
    }

    /// Finalises a draft.
    pub async fn finalize(&self, snapshot: &Snapshot) -> Result<Snapshot, SnapshotError> {
        self.change(snapshot, SnapshotChange::Finalize).await
    }

    /// Deletes a snapshot. The ledger rows of its lookups stay.
    pub async fn delete(&self, snapshot: &Snapshot) -> Result<(), SnapshotError> {
        let is_deleted = self
            .store
            .delete_snapshot(snapshot.client, snapshot.id)
            .await?;
        if is_deleted {
            Ok(())
        } else {
            Err(SnapshotError::NotFound)
        }
    }

    /// Returns the rows of a slice; `None` after the last slice.
    pub async fn rows(
        &self,
        snapshot: &Snapshot,
        index: u32,
    ) -> Result<Option<Vec<SnapshotRow>>, StoreError> {
        if index >= snapshot.progress.slices {
            return Ok(None);
        }
        let slice = self
            .store
            .snapshot_slice(snapshot.client, snapshot.id, index)
            .await?;
        let missing = || {
            StoreError::NotApplied(format!(
                "the snapshot {} was deleted meanwhile",
                snapshot.id
            ))
        };
        slice
            .map(|SnapshotSlice { rows, .. }| Some(rows))
            .ok_or_else(missing)
    }

    /// Returns the signed manifest of a file of a snapshot.
    pub fn sign_manifest(&self, snapshot: &Snapshot, manifest: &SnapshotManifest<'_>) -> String {
        manifest.to_token(snapshot, &self.secrets.signer())
    }

    /// Continues the job of a snapshot by one slice, or lists the addresses of the context. Returns `true` if more is to be
    /// done at once.
    pub async fn continue_job(
        &self,
        client: ClientId,
        id: SnapshotId,
    ) -> Result<bool, SnapshotError> {
        let snapshot = self
            .store
            .snapshot(client, id)
            .await?
            .ok_or(SnapshotError::NotFound)?;
        if !snapshot.has_work() {
            return Ok(false);
        }
        if snapshot.progress.state == SnapshotState::Uploading {
            self.list_seen(&snapshot).await?;
            return Ok(true);
        }
        let input = SliceInput {
            nonce_seed: self.entropy.bytes(),
            address_key: self.secrets.address_key(),
            rules: self.rules.clone(),
        };
        let changed_snapshot = self
            .change(&snapshot, SnapshotChange::Continue(input))
            .await?;
        Ok(changed_snapshot.has_work() && changed_snapshot.progress.pause.is_none())
    }

    /// Returns the snapshots whose jobs are not complete, and deletes the expired ones. Of several nodes, only the leader gets
    /// any.
    pub async fn unfinished(&self) -> Result<Vec<(ClientId, SnapshotId)>, StoreError> {
        let expired_before = RetentionPolicy::snapshots_before(self.clock.now());
        let mut unfinished_jobs = Vec::new();
        if !self.store.try_acquire_lease().await? {
            return Ok(unfinished_jobs);
        }
        for client in read_clients(self.store.as_ref()).await? {
            for snapshot in self.store.snapshots(client.id, None, MAX_SNAPSHOTS).await? {
                if snapshot.created_at < expired_before {
                    self.store.delete_snapshot(client.id, snapshot.id).await?;
                } else if snapshot.has_work() {
                    unfinished_jobs.push((client.id, snapshot.id));
                }
            }
        }
        Ok(unfinished_jobs)
    }

    /// Returns the time at which a snapshot is deleted.
    pub fn expires_at(snapshot: &Snapshot) -> Timestamp {
        snapshot
            .created_at
            .saturating_add(RetentionPolicy::SNAPSHOT_RETENTION)
    }

    /// Lists the addresses with a verdict in the context.
    async fn list_seen(&self, snapshot: &Snapshot) -> Result<(), SnapshotError> {
        let attempt = self.begin_upload(snapshot).await?;
        let mut cursor = None;
        let mut slices = 0;
        let mut addresses = 0;
        loop {
            let page = self
                .store
                .verdicts(&snapshot.context, cursor, self.store.slice_addresses())
                .await?;
            let Some(last) = page.last() else { break };
            cursor = Some(last.address);
            addresses += page.len() as u64;
            let listed_addresses = page
                .iter()
                .map(|record| ListedAddress {
                    address: record.address,
                    amount: None,
                })
                .collect();
            self.append(snapshot, attempt, slices, listed_addresses)
                .await?;
            slices += 1;
        }
        self.change(
            snapshot,
            SnapshotChange::CompleteUpload {
                attempt,
                slices,
                addresses,
            },
        )
        .await
        .map(drop)
    }

    async fn begin_upload(&self, snapshot: &Snapshot) -> Result<u32, SnapshotError> {
        Ok(self
            .change(snapshot, SnapshotChange::BeginUpload)
            .await?
            .progress
            .attempt)
    }

    async fn append(
        &self,
        snapshot: &Snapshot,
        attempt: u32,
        index: u32,
        addresses: Vec<ListedAddress>,
    ) -> Result<(), SnapshotError> {
        self.change(
            snapshot,
            SnapshotChange::Append {
                attempt,
                index,
                addresses,
            },
        )
        .await
        .map(drop)
    }

    async fn change(
        &self,
        snapshot: &Snapshot,
        change: SnapshotChange,
    ) -> Result<Snapshot, SnapshotError> {
        let changed_snapshot = self
            .store
            .change_snapshot(snapshot.client, snapshot.id, change)
            .await?;
        Ok(changed_snapshot.ok_or(SnapshotError::NotFound)??)
    }
}
