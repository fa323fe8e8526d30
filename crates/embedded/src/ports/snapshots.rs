//! Snapshots: jobs that look up long lists of addresses.

use super::lookup::{AddressRecords, CallerRecords, LookupTables};
use crate::EmbeddedStore;
use crate::common::{self, not_found};
use crate::read_records::{ReadRecords, corrupt_record};
use crate::table::{self, ClientNumber};
use crate::write_transaction::WriteTransaction;
use async_trait::async_trait;
use std::sync::Arc;
use voight_domain::events::snapshot_event;
use voight_domain::ports::{SnapshotOutcome, SnapshotStore, StoreError};
use voight_domain::snapshot::{
    MAX_SNAPSHOTS, Snapshot, SnapshotChange, SnapshotCreation, SnapshotFacts, SnapshotSlice,
};
use voight_domain::vocabulary::{ClientId, SnapshotId, Timestamp};
use voight_engine::{Engine, Order};

/// Maximum number of addresses of a slice. The writer needs two hundred microseconds for it, in which it commits no lookup.
const SLICE_ADDRESSES: usize = 125;

#[async_trait]
impl<E: Engine> SnapshotStore for EmbeddedStore<E> {
    fn slice_addresses(&self) -> usize {
        SLICE_ADDRESSES
    }

    async fn create_snapshot(&self, snapshot: Snapshot) -> Result<SnapshotCreation, StoreError> {
        self.main
            .write(move |transaction| {
                let client_number = common::client_number(transaction, snapshot.client)?
                    .ok_or_else(|| not_found("client"))?;
                let key = table::snapshot(client_number, snapshot.id);
                let previous_snapshot = transaction.fetch(&key)?;
                let count = transaction
                    .list(&table::snapshots(client_number), MAX_SNAPSHOTS)?
                    .len();
                let creation = snapshot.creation(previous_snapshot, count);
                if let SnapshotCreation::Created(new_snapshot) = &creation {
                    transaction.put(key, new_snapshot);
                }
                Ok(creation)
            })
            .await
    }

    async fn snapshot(
        &self,
        client: ClientId,
        id: SnapshotId,
    ) -> Result<Option<Snapshot>, StoreError> {
        self.main
            .read(|view| match common::client_number(view, client)? {
                Some(client_number) => view.fetch(&table::snapshot(client_number, id)),
                None => Ok(None),
            })
    }

    async fn snapshots(
        &self,
        client: ClientId,
        after: Option<SnapshotId>,
        limit: usize,
    ) -> Result<Vec<Snapshot>, StoreError> {
        self.main.read(|view| {
            let Some(client_number) = common::client_number(view, client)? else {
                return Ok(Vec::new());
            };
            let previous_key = after.map(|id| table::snapshot(client_number, id));
            let page = table::snapshots(client_number).after_any(previous_key);
            view.collect(&page, Order::Ascending, limit, |_, snapshot| snapshot)
        })
    }

    async fn snapshot_slice(
        &self,
        client: ClientId,
        id: SnapshotId,
        index: u32,
    ) -> Result<Option<SnapshotSlice>, StoreError> {
        self.main
            .read(|view| match common::client_number(view, client)? {
                Some(client_number) => view.fetch(&table::snapshot_slice(client_number, id, index)),
                None => Ok(None),
            })
    }

    async fn change_snapshot(
        &self,
        client: ClientId,
        id: SnapshotId,
        change: SnapshotChange,
    ) -> Result<Option<SnapshotOutcome>, StoreError> {
        let tables = self.lookup_tables();
        let clock = Arc::clone(&self.clock);
        self.main
            .write(move |transaction| {
                let Some(client_number) = common::client_number(transaction, client)? else {
                    return Ok(None);
                };
                let at = table::snapshot(client_number, id);
                let Some(snapshot) = transaction.fetch(&at)? else {
                    return Ok(None);
                };
                change_in(
                    transaction,
                    &tables,
                    client_number,
                    snapshot,
                    &change,
                    clock.now(),
                )
                .map(Some)
            })
            .await
    }

    async fn delete_snapshot(&self, client: ClientId, id: SnapshotId) -> Result<bool, StoreError> {
        self.main
            .write(move |transaction| {
                let Some(client_number) = common::client_number(transaction, client)? else {
                    return Ok(false);
                };
                let at = table::snapshot(client_number, id);
                let Some(snapshot) = transaction.fetch(&at)? else {
                    return Ok(false);
                };
                for index in 0..snapshot.progress.stored_slices {
                    transaction.remove(table::snapshot_slice(client_number, id, index));
                }
                transaction.remove(at);
                Ok(true)
            })
            .await
    }
}

fn change_in(
    transaction: &mut WriteTransaction<'_>,
    tables: &LookupTables,
    client_number: ClientNumber,
    snapshot: Snapshot,
    change: &SnapshotChange,
    now: Timestamp,
) -> Result<SnapshotOutcome, StoreError> {
    let slice_key = |index| table::snapshot_slice(client_number, snapshot.id, index);
    let caller = match change {
        SnapshotChange::Continue(_) => {
            tables.read_caller_by_id(transaction, client_number, snapshot.key, &snapshot.context)?
        }
        _ => CallerRecords::default(),
    };
    let slice = match snapshot.slice_to_process(change).map(slice_key) {
        Some(at) => transaction.fetch(&at)?.ok_or_else(|| {
            corrupt_record(table::Table::SnapshotSlice.name(), &at.key, "it is missing")
        })?,
        None => SnapshotSlice::default(),
    };
    let context = caller.context.as_deref();
    let addresses: Vec<_> = match change {
        SnapshotChange::Continue(input) => slice
            .addresses()
            .map(|address| {
                AddressRecords::read(transaction, context, address, || {
                    snapshot.address_digest(input, &address)
                })
            })
            .collect::<Result<_, _>>()?,
        _ => Vec::new(),
    };
    let addresses = addresses.iter().map(AddressRecords::facts).collect();
    let step = match snapshot.decide(
        change,
        &SnapshotFacts {
            caller: caller.facts(),
            slice,
            addresses,
        },
        now,
    ) {
        Ok(Some(step)) => step,
        Ok(None) => return Ok(Ok(snapshot)),
        Err(error) => return Ok(Err(error)),
    };
    transaction.put(table::snapshot(client_number, snapshot.id), &step.snapshot);
    let event = snapshot_event(&snapshot, &step.snapshot);
    common::append_client_event(transaction, client_number, event, now)?;
    if let Some((index, slice)) = &step.slice {
        transaction.put(slice_key(*index), slice);
    }
    tables.write(transaction, &caller, &step.writes, now)?;
    Ok(Ok(step.snapshot))
}
