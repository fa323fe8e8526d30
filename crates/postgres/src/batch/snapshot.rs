//! Changes of snapshots.

use super::facts::{BatchInputs, WantedFacts};
use super::writes::BatchWrites;
use crate::common;
use crate::connection::Transaction;
use crate::error::Error;
use crate::sql::snapshots;
use crate::value::values;
use std::collections::HashSet;
use voight_domain::events::snapshot_event;
use voight_domain::ports::SnapshotOutcome;
use voight_domain::secrets::AddressDigest;
use voight_domain::snapshot::{Snapshot, SnapshotChange, SnapshotFacts, SnapshotSlice};
use voight_domain::vocabulary::{ClientId, EoaAddress, SnapshotId};
use voight_encoding::Encode;

/// Records that the change of a snapshot is decided from.
#[derive(Default)]
struct SnapshotInputs {
    lookups: BatchInputs,
    slice: SnapshotSlice,
    /// The addresses of the slice, with the digests of their tombstones.
    addresses: Vec<(EoaAddress, AddressDigest)>,
}

/// Applies a change to a snapshot; `None` if it does not exist.
///
/// Locks the snapshot first, and then the meter. Lookups lock no snapshot, so there is no deadlock.
pub(crate) async fn change(
    transaction: &Transaction,
    client: ClientId,
    id: SnapshotId,
    change: &SnapshotChange,
) -> Result<Option<SnapshotOutcome>, Error> {
    transaction.set_client(client);
    let snapshot_key = values![client, &id.to_bytes()[..]];
    let locked_snapshot: Option<Snapshot> = transaction
        .fetch(snapshots::LOCK_SNAPSHOT, snapshot_key)
        .await?;
    let Some(snapshot) = locked_snapshot else {
        return Ok(None);
    };
    let inputs = read(transaction, &snapshot, change).await?;
    let lookups = &inputs.lookups;
    let key = lookups.find_key(snapshot.key);
    let addresses = inputs.addresses.iter();
    let facts = SnapshotFacts {
        caller: lookups.caller(key.as_ref(), &snapshot.context, None),
        slice: inputs.slice,
        addresses: addresses
            .map(|(address, digest)| lookups.address(&snapshot.context, *address, *digest))
            .collect(),
    };
    let step = match snapshot.decide(change, &facts, transaction.now()) {
        Ok(Some(step)) => step,
        Ok(None) => return Ok(Some(Ok(snapshot))),
        Err(error) => return Ok(Some(Err(error))),
    };
    let mut writes = BatchWrites::for_ledger(snapshot.ledger(), HashSet::new());
    writes
        .events
        .extend(snapshot_event(&snapshot, &step.snapshot));
    for write in step.writes {
        writes.add(write, &step.snapshot.context);
    }
    writes.put(transaction, lookups).await?;
    if let Some((index, slice)) = &step.slice {
        common::put_snapshot_slice(transaction, client, id, u64::from(*index), slice);
    }
    transaction.enqueue_write(
        snapshots::SET_SNAPSHOT,
        values![client, &id.to_bytes()[..], step.snapshot.encode()],
    );
    Ok(Some(Ok(step.snapshot)))
}

/// Locks the meter and the slice that a change processes, and reads the facts about its addresses.
async fn read(
    transaction: &Transaction,
    snapshot: &Snapshot,
    change: &SnapshotChange,
) -> Result<SnapshotInputs, Error> {
    let SnapshotChange::Continue(input) = change else {
        return Ok(SnapshotInputs::default());
    };
    let client = snapshot.client;
    let meter = common::lock_meter(transaction, snapshot.ledger()).await?;
    let slice = match snapshot.slice_to_process(change) {
        Some(index) => {
            let slice_key = values![client, &snapshot.id.to_bytes()[..], index];
            let locked_slice = transaction.fetch(snapshots::LOCK_SLICE, slice_key).await?;
            locked_slice.ok_or_else(|| Error::damaged("a slice of a snapshot is missing"))?
        }
        None => SnapshotSlice::default(),
    };
    let addresses: Vec<_> = slice
        .addresses()
        .map(|address| (address, snapshot.address_digest(input, &address)))
        .collect();
    let mut wanted_facts = WantedFacts::default();
    wanted_facts.add_caller(snapshot.key, &snapshot.context, None);
    for (address, digest) in &addresses {
        wanted_facts.add_address(&snapshot.context, *address, *digest);
    }
    let (statement, values) = wanted_facts.read(client);
    let mut lookups = BatchInputs::read(None, &transaction.rows(statement, values).await?)?;
    lookups.meter = meter;
    Ok(SnapshotInputs {
        lookups,
        slice,
        addresses,
    })
}
