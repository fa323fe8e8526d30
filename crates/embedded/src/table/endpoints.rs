//! Record keys of webhook endpoints and their deliveries.

use super::{ClientNumber, KeyRange, RecordKey, tail};
use crate::record::{ByteEnum, DueEndpoint};
use std::time::Duration;
use voight_domain::vocabulary::{EndpointId, Timestamp};
use voight_domain::webhooks::{DeliveryLane, DeliveryRecord, EndpointRecord};
use voight_encoding::keyspace::to_sortable_bytes;

/// Key of a webhook endpoint of a client.
pub(crate) fn endpoint(client_number: ClientNumber, id: EndpointId) -> RecordKey<EndpointRecord> {
    RecordKey::new(&[&client_number.0.to_be_bytes(), &id.to_bytes()])
}

/// Range of the webhook endpoints of a client, sorted by id.
pub(crate) fn endpoints(client_number: ClientNumber) -> KeyRange<EndpointRecord> {
    KeyRange::with_prefix(&[&client_number.0.to_be_bytes()])
}

/// Key of the index entry of a webhook endpoint; `None` if nothing is to be sent.
pub(crate) fn due_endpoint(
    client_number: ClientNumber,
    record: &EndpointRecord,
) -> Option<RecordKey<DueEndpoint>> {
    let due_at = record.due_at?;
    Some(RecordKey::new(&[
        &[record.lane().code()],
        &to_sortable_bytes(due_at),
        &client_number.0.to_be_bytes(),
        &record.endpoint.id.to_bytes(),
    ]))
}

/// Range of the index entries of a lane that are due at `until` or before, the longest overdue first.
pub(crate) fn due_until(lane: DeliveryLane, until: Timestamp) -> KeyRange<DueEndpoint> {
    let lane = [lane.code()];
    KeyRange::with_prefix(&[&lane]).ending_before(&[&lane, &after(until)])
}

/// Range of the index entries of a lane that are due later than `time`.
pub(crate) fn due_after(lane: DeliveryLane, time: Timestamp) -> KeyRange<DueEndpoint> {
    let lane = [lane.code()];
    KeyRange::with_prefix(&[&lane]).from(&[&lane, &after(time)])
}

/// Returns the first time after `time`, as it is in keys.
fn after(time: Timestamp) -> [u8; 8] {
    to_sortable_bytes(time.saturating_add(Duration::from_millis(1)))
}

/// Parses the client number and the id at the end of the key of a webhook endpoint, or of its index entry.
pub(crate) fn parse_endpoint_location(key: &[u8]) -> Option<(ClientNumber, EndpointId)> {
    let location = tail::<20>(key)?;
    let client_number = location.first_chunk().copied()?;
    let id = tail(&location)?;
    Some((
        ClientNumber(u32::from_be_bytes(client_number)),
        EndpointId::from_bytes(id),
    ))
}

/// Key of a record in the delivery log of a webhook endpoint.
pub(crate) fn delivery(
    client_number: ClientNumber,
    id: EndpointId,
    number: u64,
) -> RecordKey<DeliveryRecord> {
    RecordKey::new(&[
        &client_number.0.to_be_bytes(),
        &id.to_bytes(),
        &number.to_be_bytes(),
    ])
}

/// Range of the delivery log of a webhook endpoint, oldest first.
pub(crate) fn deliveries(client_number: ClientNumber, id: EndpointId) -> KeyRange<DeliveryRecord> {
    KeyRange::with_prefix(&[&client_number.0.to_be_bytes(), &id.to_bytes()])
}

/// Range of the records of a delivery log before number `number`.
pub(crate) fn deliveries_before(
    client_number: ClientNumber,
    id: EndpointId,
    number: u64,
) -> KeyRange<DeliveryRecord> {
    deliveries(client_number, id).ending_before(&[
        &client_number.0.to_be_bytes(),
        &id.to_bytes(),
        &number.to_be_bytes(),
    ])
}
