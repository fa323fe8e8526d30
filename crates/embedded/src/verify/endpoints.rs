//! Verifies webhook endpoints, their index and their delivery logs.

use super::key::{bytes, client_number, number};
use super::record::{StoredRecord, VerifyRecord, count_records, ensure_key, require};
use super::{corrupt, ensure};
use crate::read_records::ReadRecords;
use crate::record::DueEndpoint;
use crate::table;
use voight_domain::ports::StoreError;
use voight_domain::vocabulary::EndpointId;
use voight_domain::webhooks::{DeliveryRecord, EndpointRecord};
use voight_engine::Read;

impl VerifyRecord for EndpointRecord {
    /// Verifies that the endpoint has a client, its index entry and all its deliveries, and that its client's feed has the
    /// events before its cursor.
    fn verify(&self, record: &mut StoredRecord<'_, impl Read>) -> Result<(), StoreError> {
        let client_number = client_number(record.key)?;
        let id = self.endpoint.id;
        ensure_key(record.key, &table::endpoint(client_number, id))?;
        let client = require(record.view, &table::client(self.endpoint.client))?;
        ensure(
            client.client_number == client_number,
            "its client has another number",
        )?;
        if let Some(index_key) = table::due_endpoint(client_number, self) {
            require(record.view, &index_key)?;
        }
        let feed = record.view.fetch(&table::event_feed(client_number))?;
        ensure(
            self.delivery.cursor <= feed.unwrap_or_default().last + 1,
            "its cursor is after the end of its client's feed",
        )?;
        let deliveries = count_records(record.view, &table::deliveries(client_number, id))?;
        ensure(
            deliveries == self.log.last - self.log.purged,
            "there are more or fewer deliveries than it says",
        )
    }
}

impl VerifyRecord for DueEndpoint {
    /// Verifies that the endpoint is due at this time in this lane.
    fn verify(&self, record: &mut StoredRecord<'_, impl Read>) -> Result<(), StoreError> {
        let (client_number, id) = table::parse_endpoint_location(record.key)
            .ok_or_else(|| corrupt("its key is too short"))?;
        let endpoint_record = require(record.view, &table::endpoint(client_number, id))?;
        let index_key = table::due_endpoint(client_number, &endpoint_record)
            .ok_or_else(|| corrupt("its endpoint is not due"))?;
        ensure(
            record.key == index_key.key,
            "its endpoint is due at another time, or in another lane",
        )
    }
}

impl VerifyRecord for DeliveryRecord {
    /// Verifies that the number of the record was assigned by an endpoint.
    fn verify(&self, record: &mut StoredRecord<'_, impl Read>) -> Result<(), StoreError> {
        let client_number = client_number(record.key)?;
        let id = EndpointId::from_bytes(bytes(record.key, 5)?);
        let number = number(record.key)?;
        ensure_key(record.key, &table::delivery(client_number, id, number))?;
        let log = require(record.view, &table::endpoint(client_number, id))?.log;
        ensure(
            (log.purged + 1..=log.last).contains(&number),
            "its number was never given out, or it is deleted",
        )
    }
}

#[cfg(test)]
mod tests;
