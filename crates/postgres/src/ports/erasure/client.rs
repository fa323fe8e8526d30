//! Erasure of the records of an address that no context holds, in the data of one client.

use crate::common;
use crate::connection::Transaction;
use crate::error::Error;
use crate::sql::{endpoints, erasure, events};
use crate::value::{RowExt, Value, values};
use voight_domain::check::Concluded;
use voight_domain::events::ClientEvent;
use voight_domain::ports::{EraseMode, ErasureCounts};
use voight_domain::snapshot::SnapshotSlice;
use voight_domain::vocabulary::{ClientId, EoaAddress, SnapshotId};
use voight_domain::webhooks::{DeliveryRecord, EndpointRecord};
use voight_encoding::Encode;

/// Number of records of a delivery log that are read at once.
const DELIVERY_PAGE: usize = 100;

/// Numbers of records that were, or in a dry run would be, erased in the data of one client.
#[derive(Debug)]
pub(super) struct ErasedInClient {
    openings: u64,
    receipts: u64,
    snapshot_rows: u64,
    client_events: u64,
    deliveries: u64,
}

impl ErasedInClient {
    /// Adds the numbers of this client to the totals.
    pub(super) const fn add_to(self, counts: &mut ErasureCounts) {
        counts.ledger_addresses += self.openings;
        counts.receipts += self.receipts;
        counts.snapshot_rows += self.snapshot_rows;
        counts.client_events += self.client_events;
        counts.deliveries += self.deliveries;
    }
}

/// Erases openings, receipts, snapshot rows, the addresses in events and the responses in delivery logs that contain the
/// address, or counts them for a dry run.
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
        deliveries: erase_from_deliveries(transaction, client, address, mode).await?,
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

/// Removes responses that contain the address from delivery logs, which keep their records; returns the number of these
/// records.
async fn erase_from_deliveries(
    transaction: &Transaction,
    client: ClientId,
    address: EoaAddress,
    mode: EraseMode,
) -> Result<u64, Error> {
    let records: Vec<EndpointRecord> = transaction
        .list(endpoints::ENDPOINTS, values![client])
        .await?;
    let mut writes = Vec::new();
    for record in &records {
        let log_key = values![client, record.endpoint.id.to_bytes()];
        for (number, delivery) in deliveries_about(transaction, &log_key, address).await? {
            let erased_delivery = delivery.without_response().encode();
            writes.push([log_key.clone(), values![number, erased_delivery]].concat());
        }
    }
    let erased_count = writes.len() as u64;
    if mode == EraseMode::Execute && erased_count > 0 {
        // The retention deletes records only while it holds the lock of their endpoint.
        let lock_endpoints = (endpoints::LOCK_ENDPOINTS, values![client]);
        common::lock_feed_and_endpoints(transaction, client, lock_endpoints).await?;
        for values in writes {
            transaction.enqueue_write(endpoints::ERASE_DELIVERY, values);
        }
    }
    Ok(erased_count)
}

/// Returns the records of a delivery log whose response contains the address, with their numbers.
async fn deliveries_about(
    transaction: &Transaction,
    log_key: &[Value],
    address: EoaAddress,
) -> Result<Vec<(u64, DeliveryRecord)>, Error> {
    let mut deliveries = Vec::new();
    let mut end = u64::MAX;
    loop {
        let page = values![end, DELIVERY_PAGE];
        let page = [log_key, page.as_slice()].concat();
        let rows = transaction.rows(endpoints::DELIVERIES, page).await?;
        for row in &rows {
            end = row.number(0)?;
            let delivery: DeliveryRecord = row.record(1)?;
            if delivery.is_about(address) {
                deliveries.push((end, delivery));
            }
        }
        if rows.len() < DELIVERY_PAGE {
            return Ok(deliveries);
        }
    }
}
