//! Verifies the events of clients.

use super::ensure;
use super::key::client_number;
use super::record::{StoredRecord, VerifyRecord, count_records, ensure_key, require};
use crate::table;
use voight_domain::events::{ClientEvent, EventFeed};
use voight_domain::ports::StoreError;
use voight_engine::Read;

impl VerifyRecord for ClientEvent {
    /// Verifies that the number of the event was assigned.
    fn verify(&self, record: &mut StoredRecord<'_, impl Read>) -> Result<(), StoreError> {
        let client_number = client_number(record.key)?;
        ensure_key(record.key, &table::client_event(client_number, self.number))?;
        let feed = require(record.view, &table::event_feed(client_number))?;
        ensure(
            (feed.purged + 1..=feed.last).contains(&self.number),
            "its number was never given out, or it is deleted",
        )?;
        ensure(self.at <= feed.last_at, "it is later than the last event")
    }
}

impl VerifyRecord for EventFeed {
    /// Verifies that no event is missing.
    fn verify(&self, record: &mut StoredRecord<'_, impl Read>) -> Result<(), StoreError> {
        let client_number = client_number(record.key)?;
        ensure_key(record.key, &table::event_feed(client_number))?;
        let events = count_records(record.view, &table::client_events(client_number))?;
        ensure(
            events == self.last - self.purged,
            "there are more or fewer events than it says",
        )
    }
}
