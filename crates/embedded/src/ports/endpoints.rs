//! Webhook endpoints and their deliveries.

use crate::EmbeddedStore;
use crate::common::{self, not_found};
use crate::read_records::ReadRecords;
use crate::table::{self, ClientNumber, KeyRange, tail};
use crate::write_transaction::WriteTransaction;
use async_trait::async_trait;
use std::collections::BTreeMap;
use std::sync::Arc;
use voight_domain::events::ClientEvent;
use voight_domain::ports::{
    ClaimedDeliveries, EndpointOutcome, EndpointStore, NumberedDelivery, StoreError,
};
use voight_domain::registry::AuditEntry;
use voight_domain::vocabulary::{ClientId, EndpointId, Timestamp};
use voight_domain::webhooks::{
    AuditedChange, DeliveryConclusion, DeliveryLane, DeliveryRecord, DeliveryReport, Endpoint,
    EndpointCreation, EndpointName, EndpointRecord, MAX_ENDPOINTS, MIN_FEED_PAGE,
};
use voight_engine::{Engine, Order};

#[async_trait]
impl<E: Engine> EndpointStore for EmbeddedStore<E> {
    async fn create_endpoint(
        &self,
        endpoint: Endpoint,
        audit: AuditEntry,
    ) -> Result<EndpointCreation, StoreError> {
        self.main
            .write(move |transaction| {
                let client_number = common::client_number(transaction, endpoint.client)?
                    .ok_or_else(|| not_found("client"))?;
                let stored_record =
                    transaction.fetch(&table::endpoint(client_number, endpoint.id))?;
                let count = transaction
                    .list(&table::endpoints(client_number), MAX_ENDPOINTS)?
                    .len();
                let feed = common::event_feed(transaction, client_number)?;
                let creation = EndpointRecord::creation(endpoint, stored_record, count, feed);
                if let EndpointCreation::Created(record) = &creation {
                    common::put_endpoint(transaction, client_number, record)?;
                    common::append_audit(transaction, &audit)?;
                }
                Ok(creation)
            })
            .await
    }

    async fn endpoint(&self, name: EndpointName) -> Result<Option<EndpointRecord>, StoreError> {
        self.main
            .read(|view| Ok(stored_endpoint(view, name)?.map(|(_, record)| record)))
    }

    async fn endpoints(&self, client: ClientId) -> Result<Vec<EndpointRecord>, StoreError> {
        self.main
            .read(|view| match common::client_number(view, client)? {
                Some(client_number) => view.list(&table::endpoints(client_number), MAX_ENDPOINTS),
                None => Ok(Vec::new()),
            })
    }

    async fn change_endpoint(
        &self,
        name: EndpointName,
        changes: Vec<AuditedChange>,
    ) -> Result<Option<EndpointOutcome>, StoreError> {
        let clock = Arc::clone(&self.clock);
        self.main
            .write(move |transaction| {
                let Some((client_number, record)) = stored_endpoint(transaction, name)? else {
                    return Ok(None);
                };
                let feed = common::event_feed(transaction, client_number)?;
                let step = match record.with_changes(changes, feed, clock.now()) {
                    Ok(step) => step,
                    Err(error) => return Ok(Some(Err(error))),
                };
                common::put_endpoint(transaction, client_number, &step.record)?;
                for entry in &step.audit {
                    common::append_audit(transaction, entry)?;
                }
                Ok(Some(Ok(step.record)))
            })
            .await
    }

    async fn delete_endpoint(
        &self,
        name: EndpointName,
        audit: AuditEntry,
    ) -> Result<bool, StoreError> {
        self.main
            .write(move |transaction| {
                let Some((client_number, record)) = stored_endpoint(transaction, name)? else {
                    return Ok(false);
                };
                for number in record.log.purged + 1..=record.log.last {
                    transaction.remove(table::delivery(client_number, name.id, number));
                }
                common::remove_endpoint(transaction, client_number, &record);
                common::append_audit(transaction, &audit)?;
                Ok(true)
            })
            .await
    }

    async fn due_endpoints(
        &self,
        lane: DeliveryLane,
        limit: usize,
    ) -> Result<Vec<EndpointName>, StoreError> {
        let [due_until, wrong_after] = DeliveryLane::due_bounds(self.clock.now());
        self.main.read(|view| {
            let mut index_keys = Vec::new();
            for range in [
                table::due_until(lane, due_until),
                table::due_after(lane, wrong_after),
            ] {
                let remaining = limit - index_keys.len();
                let keys =
                    view.collect(&range, Order::Ascending, remaining, |key, _| key.to_vec())?;
                index_keys.extend(keys);
            }
            let names: Result<Vec<_>, _> = index_keys
                .iter()
                .map(|key| indexed_name(view, key))
                .collect();
            Ok(names?.into_iter().flatten().collect())
        })
    }

    async fn claim_deliveries(
        &self,
        name: EndpointName,
        limit: usize,
    ) -> Result<Option<ClaimedDeliveries>, StoreError> {
        let clock = Arc::clone(&self.clock);
        self.main
            .write(
                move |transaction| match stored_endpoint(transaction, name)? {
                    Some((client_number, record)) => {
                        claim_in(transaction, client_number, record, limit, clock.now())
                    }
                    None => Ok(None),
                },
            )
            .await
    }

    async fn conclude_deliveries(
        &self,
        name: EndpointName,
        conclusion: DeliveryConclusion,
    ) -> Result<Option<Vec<DeliveryReport>>, StoreError> {
        let clock = Arc::clone(&self.clock);
        self.main
            .write(
                move |transaction| match stored_endpoint(transaction, name)? {
                    Some((client_number, record)) => {
                        conclude_in(transaction, client_number, record, conclusion, clock.now())
                            .map(Some)
                    }
                    None => Ok(None),
                },
            )
            .await
    }

    async fn deliveries(
        &self,
        name: EndpointName,
        before: Option<u64>,
        limit: usize,
    ) -> Result<Vec<NumberedDelivery>, StoreError> {
        self.main.read(|view| {
            let Some(client_number) = common::client_number(view, name.client)? else {
                return Ok(Vec::new());
            };
            let page = match before {
                Some(number) => table::deliveries_before(client_number, name.id, number),
                None => table::deliveries(client_number, name.id),
            };
            list_deliveries(view, &page, Order::Descending, limit)
        })
    }

    async fn purge_deliveries(&self, before: Timestamp, limit: usize) -> Result<usize, StoreError> {
        let expired_logs = self
            .main
            .read(|view| logs_with_expired_records(view, before, limit))?;
        if expired_logs.is_empty() {
            return Ok(0);
        }
        self.main
            .write(move |transaction| purge_in(transaction, &expired_logs, before, limit))
            .await
    }
}

/// Returns an endpoint with the number of its client.
fn stored_endpoint(
    view: &impl ReadRecords,
    name: EndpointName,
) -> Result<Option<(ClientNumber, EndpointRecord)>, StoreError> {
    let Some(client_number) = common::client_number(view, name.client)? else {
        return Ok(None);
    };
    let record = view.fetch(&table::endpoint(client_number, name.id))?;
    Ok(record.map(|record| (client_number, record)))
}

/// Returns the name of the endpoint of an index entry; `None` if the endpoint is missing, which a verification reports.
fn indexed_name(
    view: &impl ReadRecords,
    index_key: &[u8],
) -> Result<Option<EndpointName>, StoreError> {
    let Some((client_number, id)) = table::parse_endpoint_location(index_key) else {
        return Ok(None);
    };
    let record = view.fetch(&table::endpoint(client_number, id))?;
    Ok(record.map(|record| record.endpoint.name()))
}

fn claim_in(
    transaction: &mut WriteTransaction<'_>,
    client_number: ClientNumber,
    record: EndpointRecord,
    limit: usize,
    now: Timestamp,
) -> Result<Option<ClaimedDeliveries>, StoreError> {
    let feed = common::event_feed(transaction, client_number)?;
    let unread = events_from(transaction, client_number, record.delivery.cursor, limit)?;
    let replayed = match record.delivery.replay {
        Some(range) => events_from(transaction, client_number, range.next, limit)?,
        None => Vec::new(),
    };
    let Some(claim) = record.claim(feed, &unread, &replayed, limit, now) else {
        return Ok(None);
    };
    common::put_endpoint(transaction, client_number, &claim.record)?;
    let mut events = BTreeMap::new();
    for attempt in &claim.attempts {
        let event = transaction.fetch(&table::client_event(client_number, attempt.event))?;
        events.extend(event.map(|event| (event.number, event)));
    }
    Ok(Some(ClaimedDeliveries::new(claim, events)))
}

/// Returns the events of a client from number `first` on that a claim of at most `limit` attempts reads.
fn events_from(
    view: &impl ReadRecords,
    client_number: ClientNumber,
    first: u64,
    limit: usize,
) -> Result<Vec<ClientEvent>, StoreError> {
    let previous_key = table::client_event(client_number, first.saturating_sub(1));
    let page = table::client_events(client_number).starting_after(previous_key);
    view.list(&page, limit.max(MIN_FEED_PAGE))
}

fn conclude_in(
    transaction: &mut WriteTransaction<'_>,
    client_number: ClientNumber,
    record: EndpointRecord,
    conclusion: DeliveryConclusion,
    now: Timestamp,
) -> Result<Vec<DeliveryReport>, StoreError> {
    let id = record.endpoint.id;
    let feed = common::event_feed(transaction, client_number)?;
    let step = record.conclude(conclusion, feed, now);
    // The events may make this endpoint due, so its record is written before them.
    common::put_endpoint(transaction, client_number, &step.record)?;
    for (number, delivery) in &step.new_records {
        transaction.put(table::delivery(client_number, id, *number), delivery);
    }
    for number in step.removed_records {
        transaction.remove(table::delivery(client_number, id, number));
    }
    for event in step.events {
        common::append_client_event(transaction, client_number, Some(event), now)?;
    }
    Ok(step.reports)
}

/// Returns at most `limit` records of a range of a delivery log.
fn list_deliveries(
    view: &impl ReadRecords,
    page: &KeyRange<DeliveryRecord>,
    order: Order,
    limit: usize,
) -> Result<Vec<NumberedDelivery>, StoreError> {
    view.collect(page, order, limit, |key, record| NumberedDelivery {
        number: tail(key).map_or(0, u64::from_be_bytes),
        record,
    })
}

/// Returns at most `limit` endpoints whose oldest record is of an attempt before `before`.
fn logs_with_expired_records(
    view: &impl ReadRecords,
    before: Timestamp,
    limit: usize,
) -> Result<Vec<(ClientNumber, EndpointId)>, StoreError> {
    let logs = view.collect(
        &KeyRange::<EndpointRecord>::all(),
        Order::Ascending,
        usize::MAX,
        |key, record| (table::parse_endpoint_location(key), record.log),
    )?;
    let mut expired_logs = Vec::new();
    for (location, log) in logs {
        if expired_logs.len() == limit {
            break;
        }
        let Some((client_number, id)) = location else {
            continue;
        };
        if log.purged == log.last {
            continue;
        }
        let oldest_key = table::delivery(client_number, id, log.purged + 1);
        let oldest_delivery = view.fetch(&oldest_key)?;
        if oldest_delivery.is_some_and(|delivery| delivery.at < before) {
            expired_logs.push((client_number, id));
        }
    }
    Ok(expired_logs)
}

fn purge_in(
    transaction: &mut WriteTransaction<'_>,
    expired_logs: &[(ClientNumber, EndpointId)],
    before: Timestamp,
    limit: usize,
) -> Result<usize, StoreError> {
    let mut count = 0;
    for (client_number, id) in expired_logs.iter().copied() {
        if count == limit {
            break;
        }
        let Some(mut record) = transaction.fetch(&table::endpoint(client_number, id))? else {
            continue;
        };
        let log = table::deliveries(client_number, id);
        let deliveries = list_deliveries(transaction, &log, Order::Ascending, limit - count)?;
        for delivery in deliveries
            .iter()
            .take_while(|delivery| delivery.record.at < before)
        {
            transaction.remove(table::delivery(client_number, id, delivery.number));
            record.log.purge(delivery.number);
            count += 1;
        }
        common::put_endpoint(transaction, client_number, &record)?;
    }
    Ok(count)
}
