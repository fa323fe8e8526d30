//! Snapshots: jobs that look up long lists of addresses.

use crate::MemoryStore;
use async_trait::async_trait;
use std::ops::Bound;
use voight_domain::events::snapshot_event;
use voight_domain::ports::{SnapshotOutcome, SnapshotStore, StoreError};
use voight_domain::snapshot::{
    Snapshot, SnapshotChange, SnapshotCreation, SnapshotFacts, SnapshotSlice,
};
use voight_domain::vocabulary::{ClientId, SnapshotId};

#[async_trait]
impl SnapshotStore for MemoryStore {
    async fn create_snapshot(&self, snapshot: Snapshot) -> Result<SnapshotCreation, StoreError> {
        let mut state = self.state()?;
        if !state.clients.contains_key(&snapshot.client) {
            return Err(StoreError::Conflict(format!(
                "there is no client {}",
                snapshot.client
            )));
        }
        let client = snapshot.client;
        let id = snapshot.id;
        let count = state
            .snapshots
            .keys()
            .filter(|(owner, _)| *owner == client)
            .count();
        let creation = snapshot.creation(state.snapshots.get(&(client, id)).cloned(), count);
        if let SnapshotCreation::Created(created) = &creation {
            state.snapshots.insert((client, id), created.clone());
        }
        Ok(creation)
    }

    async fn snapshot(
        &self,
        client: ClientId,
        id: SnapshotId,
    ) -> Result<Option<Snapshot>, StoreError> {
        Ok(self.state()?.snapshots.get(&(client, id)).cloned())
    }

    async fn snapshots(
        &self,
        client: ClientId,
        after: Option<SnapshotId>,
        limit: usize,
    ) -> Result<Vec<Snapshot>, StoreError> {
        let state = self.state()?;
        let first = after.map_or_else(
            || Bound::Included((client, SnapshotId::from_bytes([0; 16]))),
            |after| Bound::Excluded((client, after)),
        );
        let client_snapshots = state
            .snapshots
            .range((first, Bound::Unbounded))
            .take_while(|((owner, _), _)| *owner == client);
        Ok(client_snapshots
            .map(|(_, snapshot)| snapshot.clone())
            .take(limit)
            .collect())
    }

    async fn snapshot_slice(
        &self,
        client: ClientId,
        id: SnapshotId,
        index: u32,
    ) -> Result<Option<SnapshotSlice>, StoreError> {
        Ok(self
            .state()?
            .snapshot_slices
            .get(&(client, id, index))
            .cloned())
    }

    async fn change_snapshot(
        &self,
        client: ClientId,
        id: SnapshotId,
        change: SnapshotChange,
    ) -> Result<Option<SnapshotOutcome>, StoreError> {
        let mut state = self.state()?;
        let Some(snapshot) = state.snapshots.get(&(client, id)) else {
            return Ok(None);
        };
        let key = state.find_key(snapshot.key);
        let caller = state.caller_facts(key.as_ref(), &snapshot.context, None);
        let index = snapshot.slice_to_process(&change);
        let slice =
            index.and_then(|index| state.snapshot_slices.get(&(client, id, index)).cloned());
        let slice = slice.unwrap_or_default();
        let addresses = match &change {
            SnapshotChange::Continue(input) => slice
                .addresses()
                .map(|address| {
                    state.address_facts(
                        &snapshot.context,
                        address,
                        snapshot.address_digest(input, &address),
                    )
                })
                .collect(),
            _ => Vec::new(),
        };
        let facts = SnapshotFacts {
            caller,
            slice,
            addresses,
        };
        let now = self.clock.now();
        let step = match snapshot.decide(&change, &facts, now) {
            Ok(Some(step)) => step,
            Ok(None) => return Ok(Some(Ok(snapshot.clone()))),
            Err(error) => return Ok(Some(Err(error))),
        };
        let ledger = snapshot.ledger();
        let event = snapshot_event(snapshot, &step.snapshot);
        state.append_client_events(client, event, now);
        step.writes
            .into_iter()
            .for_each(|write| state.record(ledger, &step.snapshot.context, write, now));
        state.snapshot_slices.extend(
            step.slice
                .map(|(index, slice)| ((client, id, index), slice)),
        );
        state.snapshots.insert((client, id), step.snapshot.clone());
        Ok(Some(Ok(step.snapshot)))
    }

    async fn delete_snapshot(&self, client: ClientId, id: SnapshotId) -> Result<bool, StoreError> {
        let mut state = self.state()?;
        state
            .snapshot_slices
            .retain(|(owner, of, _), _| (*owner, *of) != (client, id));
        Ok(state.snapshots.remove(&(client, id)).is_some())
    }
}
