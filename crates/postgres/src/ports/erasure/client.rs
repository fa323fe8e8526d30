//! Erasure of the records of an address that no context holds, in the data of one client.

use crate::common;
use crate::connection::Transaction;
use crate::error::Error;
use crate::sql::{erasure, events};
use crate::value::{RowExt, values};
use voight_domain::check::Concluded;
use voight_domain::events::ClientEvent;
use voight_domain::ports::{EraseMode, ErasureCounts};
use voight_domain::snapshot::SnapshotSlice;
use voight_domain::vocabulary::{ClientId, EoaAddress, SnapshotId};
use voight_encoding::Encode;

/// Numbers of records that were, or in a dry run would be, erased in the data of one client.
#[derive(Debug)]
pub(super) struct ErasedInClient {
    openings: u64,
    receipts: u64,
    snapshot_rows: u64,
    client_events: u64,
}

impl ErasedInClient {
    /// Adds the numbers of this client to the totals.
    pub(super) const fn add_to(self, counts: &mut ErasureCounts) {
        counts.ledger_addresses += self.openings;
        counts.receipts += self.receipts;
        counts.snapshot_rows += self.snapshot_rows;
        counts.client_events += self.client_events;
    }
}

/// Erases openings, receipts, snapshot rows and the addresses in events, or counts them for a dry run.
///
/// The tables have no index by address, because an index would itself have to be erased.
pub(super) async fn erase(
    transaction: &Transaction,
    client: ClientId,
    address: EoaAddress,
    mode: EraseMode,
) -> Result<ErasedInClient, Error> {
    transaction.set_client(client);
    let of = values![client, address];
    let openings = transaction
        .count(erasure::COUNT_OPENINGS, of.clone())
        .await?;
    let receipts = transaction
        .count(erasure::COUNT_RECEIPTS, of.clone())
        .await?;
    if mode == EraseMode::Execute && openings > 0 {
        transaction.enqueue_write(erasure::DROP_OPENINGS, of);
    }
    if mode == EraseMode::Execute && receipts > 0 {
        let without = Concluded { receipt: None };
        transaction.enqueue_write(
            erasure::DROP_RECEIPTS,
            values![client, address, without.encode()],
        );
    }
    Ok(ErasedInClient {
        openings,
        receipts,
        snapshot_rows: erase_snapshot_rows(transaction, client, address, mode).await?,
        client_events: erase_from_events(transaction, client, address, mode).await?,
    })
}

/// Erases the rows of snapshots, or counts them for a dry run; returns their number.
async fn erase_snapshot_rows(
    transaction: &Transaction,
    client: ClientId,
    address: EoaAddress,
    mode: EraseMode,
) -> Result<u64, Error> {
    let rows = transaction
        .rows(erasure::LOCK_SLICES, values![client, address])
        .await?;
    let mut snapshot_rows = 0;
    for row in &rows {
        let mut slice: SnapshotSlice = row.record(2)?;
        if !slice.contains(&address) {
            continue;
        }
        snapshot_rows += 1;
        if mode == EraseMode::Execute {
            slice.erase(&address);
            let id = SnapshotId::from_bytes(row.byte_array(0)?);
            common::put_snapshot_slice(transaction, client, id, row.number(1)?, &slice);
        }
    }
    Ok(snapshot_rows)
}

/// Removes the address and the answer from events, which keep their numbers; returns the number of these events.
async fn erase_from_events(
    transaction: &Transaction,
    client: ClientId,
    address: EoaAddress,
    mode: EraseMode,
) -> Result<u64, Error> {
    let rows = transaction
        .rows(events::ADDRESS_EVENTS, values![client, address])
        .await?;
    if mode == EraseMode::Execute && !rows.is_empty() {
        // The retention deletes events only while it holds this lock.
        common::lock_event_feed(transaction, client).await?;
        for row in &rows {
            let client_event: ClientEvent = row.record(1)?;
            let erased_event = ClientEvent {
                event: client_event.event.without_address(),
                ..client_event
            };
            transaction.enqueue_write(
                events::ERASE_EVENT,
                values![client, erased_event.number, erased_event.encode()],
            );
        }
    }
    Ok(rows.len() as u64)
}
