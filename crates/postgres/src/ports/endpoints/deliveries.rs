//! Claims and conclusions of deliveries, and their logs.

use super::{endpoint_key, endpoint_name, lock};
use crate::common;
use crate::connection::Transaction;
use crate::error::Error;
use crate::sql::{endpoints, events};
use crate::value::{RowExt, values};
use std::collections::{BTreeMap, BTreeSet};
use tokio_postgres::Row;
use voight_domain::events::{ClientEvent, EventFeed};
use voight_domain::ports::{ClaimedDeliveries, NumberedDelivery};
use voight_domain::vocabulary::{ClientId, Timestamp};
use voight_domain::webhooks::{
    DeliveryConclusion, DeliveryReport, DueAttempt, EndpointName, EndpointRecord, MIN_FEED_PAGE,
};
use voight_encoding::Encode;

/// Events of a client that a claim is decided from, with the state of the feed.
struct FeedPages {
    unread: Vec<ClientEvent>,
    replayed: Vec<ClientEvent>,
    feed: EventFeed,
}

/// Claims at most `limit` attempts of an endpoint; `None` if it cannot be claimed.
///
/// The feed is read after the endpoint is locked. An event that is not yet committed waits for this lock, and then makes the
/// endpoint due.
pub(super) async fn claim(
    transaction: &Transaction,
    name: EndpointName,
    limit: usize,
) -> Result<Option<ClaimedDeliveries>, Error> {
    let Some(record) = lock(transaction, name).await? else {
        return Ok(None);
    };
    let FeedPages {
        unread,
        replayed,
        feed,
    } = read_feed(transaction, &record, limit.max(MIN_FEED_PAGE)).await?;
    let claim = record.claim(feed, &unread, &replayed, limit, transaction.now());
    let Some(claim) = claim else {
        return Ok(None);
    };
    common::put_endpoint(transaction, &claim.record);
    let pages = unread.into_iter().chain(replayed);
    let mut events = pages.map(|event| (event.number, event)).collect();
    read_missing(transaction, name.client, &claim.attempts, &mut events).await?;
    Ok(Some(ClaimedDeliveries::new(claim, events)))
}

/// Reads at most `limit` unread and `limit` replayed events of an endpoint, and then the state of the feed.
///
/// In this order, the state of the feed includes the number of the last event that was deleted before the events were read.
async fn read_feed(
    transaction: &Transaction,
    record: &EndpointRecord,
    limit: usize,
) -> Result<FeedPages, Error> {
    let client = record.endpoint.client;
    let page = |first: u64, limit: usize| {
        let values = values![client, first.saturating_sub(1), limit];
        (events::EVENTS, values)
    };
    let reads = [
        page(record.delivery.cursor, limit),
        match record.delivery.replay {
            Some(range) => page(range.next, limit),
            None => page(1, 0),
        },
        (events::EVENT_FEED, values![client]),
    ];
    let answers = transaction.pipelined_rows(&reads).await?;
    let [unread_rows, replayed_rows, feed_rows] = answers.as_slice() else {
        return Err(Error::damaged("an answer is missing"));
    };
    let feed = feed_rows.first().map(|row| row.record(0)).transpose()?;
    Ok(FeedPages {
        unread: decode_events(unread_rows)?,
        replayed: decode_events(replayed_rows)?,
        feed: feed.unwrap_or_default(),
    })
}

fn decode_events(rows: &[Row]) -> Result<Vec<ClientEvent>, Error> {
    rows.iter().map(|row| row.record(0)).collect()
}

/// Reads the events of attempts that are not in `events`, and adds them.
async fn read_missing(
    transaction: &Transaction,
    client: ClientId,
    attempts: &[DueAttempt],
    events: &mut BTreeMap<u64, ClientEvent>,
) -> Result<(), Error> {
    let missing_numbers: Vec<i64> = attempts
        .iter()
        .filter(|attempt| !events.contains_key(&attempt.event))
        .map(|attempt| attempt.event.cast_signed())
        .collect();
    if !missing_numbers.is_empty() {
        let missing_events: Vec<ClientEvent> = transaction
            .list(events::EVENTS_BY_NUMBER, values![client, missing_numbers])
            .await?;
        events.extend(
            missing_events
                .into_iter()
                .map(|event| (event.number, event)),
        );
    }
    Ok(())
}

/// Concludes attempts of an endpoint; `None` if it does not exist.
///
/// The feed is locked before the endpoint, because the conclusion may append an event.
pub(super) async fn conclude(
    transaction: &Transaction,
    name: EndpointName,
    conclusion: &DeliveryConclusion,
) -> Result<Option<Vec<DeliveryReport>>, Error> {
    let client = name.client;
    let lock_endpoint = (endpoints::LOCK_ENDPOINT, endpoint_key(name));
    let (feed, records) =
        common::lock_feed_and_endpoints(transaction, client, lock_endpoint).await?;
    let Some(record) = records.into_iter().next() else {
        common::drop_empty_feed(transaction, client, &feed);
        return Ok(None);
    };
    let step = record.conclude(conclusion.clone(), feed, transaction.now());
    if step.events.is_empty() {
        common::drop_empty_feed(transaction, client, &feed);
    }
    common::append_client_events(transaction, client, step.events).await?;
    // The last write of the endpoint: its own events make the former record due.
    common::put_endpoint(transaction, &step.record);
    for (number, delivery) in &step.new_records {
        let columns = values![*number, delivery.at, delivery.encode()];
        transaction.enqueue_write(
            endpoints::ADD_DELIVERY,
            [endpoint_key(name), columns].concat(),
        );
    }
    if !step.removed_records.is_empty() {
        enqueue_purge(transaction, name, step.record.log.purged);
    }
    Ok(Some(step.reports))
}

/// Returns at most `limit` records of a log before number `before`, newest first.
pub(super) async fn list(
    transaction: &Transaction,
    name: EndpointName,
    before: Option<u64>,
    limit: usize,
) -> Result<Vec<NumberedDelivery>, Error> {
    let page = values![before.unwrap_or(u64::MAX), limit];
    let page = [endpoint_key(name), page].concat();
    let rows = transaction.rows(endpoints::DELIVERIES, page).await?;
    let deliveries = rows.iter().map(|row| {
        Ok(NumberedDelivery {
            number: row.number(0)?,
            record: row.record(1)?,
        })
    });
    deliveries.collect()
}

/// Returns the endpoints of the `limit` oldest records of attempts before `before`.
pub(super) async fn expired_logs(
    transaction: &Transaction,
    before: Timestamp,
    limit: usize,
) -> Result<BTreeSet<EndpointName>, Error> {
    let rows = transaction
        .rows(endpoints::EXPIRED_DELIVERIES, values![before, limit])
        .await?;
    rows.iter().map(endpoint_name).collect()
}

/// Deletes at most `limit` of the oldest records of a log whose attempts were before `before`; returns their number.
pub(super) async fn purge(
    transaction: &Transaction,
    name: EndpointName,
    before: Timestamp,
    limit: usize,
) -> Result<usize, Error> {
    let Some(mut record) = lock(transaction, name).await? else {
        return Ok(0);
    };
    let page = [endpoint_key(name), values![limit]].concat();
    let rows = transaction.rows(endpoints::FIRST_DELIVERIES, page).await?;
    let mut expired_records = 0;
    for row in &rows {
        if row.column::<i64>(1)? >= before.as_millis() {
            break;
        }
        record.log.purge(row.number(0)?);
        expired_records += 1;
    }
    if expired_records > 0 {
        enqueue_purge(transaction, name, record.log.purged);
        common::put_endpoint(transaction, &record);
    }
    Ok(expired_records)
}

/// Enqueues the deletion of the records of a log up to number `last`.
fn enqueue_purge(transaction: &Transaction, name: EndpointName, last: u64) {
    transaction.enqueue_write(
        endpoints::PURGE_DELIVERIES,
        [endpoint_key(name), values![last]].concat(),
    );
}
