//! Changes of snapshots.

use super::facts::{BatchInputs, WantedFacts};
use super::writes::BatchWrites;
use crate::common;
use crate::connection::Transaction;
use crate::error::Error;
use crate::sql::snapshots;
use crate::value::values;
use std::collections::HashSet;
use voight_domain::ports::SnapshotOutcome;
use voight_domain::snapshot::{Snapshot, SnapshotChange, SnapshotFacts, SnapshotSlice};
use voight_domain::vocabulary::{ClientId, SnapshotId};
use voight_encoding::Encode;

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
    let slice_key = values![client, &id.to_bytes()[..]];
    let locked_snapshot: Option<Snapshot> = transaction
        .fetch(snapshots::LOCK_SNAPSHOT, slice_key.clone())
        .await?;
    let Some(snapshot) = locked_snapshot else {
        return Ok(None);
    };
    let ledger = snapshot.ledger();
    let mut inputs = BatchInputs::default();
    let mut slice = SnapshotSlice::default();
    let mut addresses = Vec::new();
    if let SnapshotChange::Continue(input) = change {
        let meter = common::lock_meter(transaction, ledger).await?;
        if let Some(index) = snapshot.slice_to_process(change) {
            let slice_key = values![client, &id.to_bytes()[..], index];
            let locked_slice = transaction.fetch(snapshots::LOCK_SLICE, slice_key).await?;
            slice =
                locked_slice.ok_or_else(|| Error::damaged("a slice of a snapshot is missing"))?;
        }
        addresses = slice
            .addresses()
            .map(|address| (address, snapshot.address_digest(input, &address)))
            .collect();
        let mut wanted_facts = WantedFacts::default();
        wanted_facts.add_caller(snapshot.key, &snapshot.context, None);
        for (address, digest) in &addresses {
            wanted_facts.add_address(&snapshot.context, *address, *digest);
        }
        let (statement, values) = wanted_facts.read(client);
        inputs = BatchInputs::read(None, &transaction.rows(statement, values).await?)?;
        inputs.meter = meter;
    }
    let key = inputs.find_key(snapshot.key);
    let caller = inputs.caller(key.as_ref(), &snapshot.context, None);
    let address_facts = addresses
        .iter()
        .map(|(address, digest)| inputs.address(&snapshot.context, *address, *digest))
        .collect();
    let facts = SnapshotFacts {
        caller,
        slice,
        addresses: address_facts,
    };
    let step = match snapshot.decide(change, &facts, transaction.now()) {
        Ok(Some(step)) => step,
        Ok(None) => return Ok(Some(Ok(snapshot))),
        Err(error) => return Ok(Some(Err(error))),
    };
    let mut writes = BatchWrites::for_ledger(ledger, HashSet::new());
    step.writes.into_iter().for_each(|write| writes.add(write));
    writes.put(transaction);
    if let Some((index, slice)) = &step.slice {
        common::put_snapshot_slice(transaction, client, id, u64::from(*index), slice);
    }
    transaction.enqueue_write(
        snapshots::SET_SNAPSHOT,
        values![client, &id.to_bytes()[..], step.snapshot.encode()],
    );
    Ok(Some(Ok(step.snapshot)))
}
