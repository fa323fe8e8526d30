//! Reads and writes that several ports share.
//!
//! All transactions lock rows in this order, so that they do not deadlock: number of clients, client, snapshot, meter,
//! context, verdict, event feed, endpoint, signing key, audit log. A transaction that locks several endpoints of a client
//! holds the lock of its event feed.

use crate::connection::{Transaction, Write};
use crate::error::Error;
use crate::sql::tables::{address_bounds, event_address};
use crate::sql::{admin, billing, check, endpoints, events, lookup, registry, snapshots};
use crate::value::{RowExt, Value, values};
use voight_domain::events::{EventFeed, NewEvent};
use voight_domain::metering::{IdempotencyRecord, LedgerId, MeterState};
use voight_domain::registry::{AuditEntry, AuditHead, Client, Context};
use voight_domain::secrets::IdempotencyDigest;
use voight_domain::snapshot::SnapshotSlice;
use voight_domain::verdict::{Event, Verdict};
use voight_domain::vocabulary::{ClientId, ContextId, EoaAddress, SnapshotId};
use voight_domain::webhooks::EndpointRecord;
use voight_encoding::{ByteEnum, Encode};

/// Locked row of a client, with the last numbers assigned to its keys and contexts.
pub(crate) struct LockedClient {
    pub(crate) client: Client,
    pub(crate) keys: u64,
    pub(crate) contexts: u64,
}

/// Context with the client that owns it.
pub(crate) type OwnedContext = (ClientId, Context);

/// Locks the row of a client, so that its keys, contexts and settings do not change meanwhile.
pub(crate) async fn lock_client(
    transaction: &Transaction,
    id: ClientId,
) -> Result<Option<LockedClient>, Error> {
    transaction.set_client(id);
    let Some(row) = transaction.row(registry::LOCK_CLIENT, values![id]).await? else {
        return Ok(None);
    };
    Ok(Some(LockedClient {
        client: row.record(0)?,
        keys: row.number(1)?,
        contexts: row.number(2)?,
    }))
}

/// Locks a meter and returns its state; `None` before the first lookup and the first limit.
pub(crate) async fn lock_meter(
    transaction: &Transaction,
    LedgerId {
        client,
        environment,
    }: LedgerId,
) -> Result<Option<MeterState>, Error> {
    transaction.set_client(client);
    let row = transaction
        .row(lookup::LOCK_METER, values![client, environment])
        .await?;
    let bytes: Option<Option<Vec<u8>>> = row.map(|row| row.column(0)).transpose()?;
    bytes
        .flatten()
        .map(|bytes| crate::value::decode(&bytes))
        .transpose()
}

/// Returns the client that owns a context. The owner never changes.
pub(crate) async fn context_owner(
    transaction: &Transaction,
    context: &ContextId,
) -> Result<Option<ClientId>, Error> {
    let row = transaction
        .row(registry::CONTEXT_OWNER, values![context])
        .await?;
    row.map(|row| row.byte_array(0).map(ClientId::from_bytes))
        .transpose()
}

/// Reads a context with its owner.
pub(crate) async fn context(
    transaction: &Transaction,
    id: &ContextId,
) -> Result<Option<OwnedContext>, Error> {
    let Some(client) = context_owner(transaction, id).await? else {
        return Ok(None);
    };
    let context = transaction
        .fetch(registry::CONTEXT, values![client, id])
        .await?;
    Ok(context.map(|context| (client, context)))
}

/// Reads a context of a client. The context of another client takes the statement of one that does not exist.
pub(crate) async fn context_of_client(
    transaction: &Transaction,
    client: ClientId,
    id: &ContextId,
) -> Result<Option<Context>, Error> {
    transaction.set_client(client);
    transaction
        .fetch(registry::CONTEXT, values![client, id])
        .await
}

/// Locks the row of a context, so that no other transaction changes its verdicts, timelines and links.
pub(crate) async fn lock_context(
    transaction: &Transaction,
    id: &ContextId,
) -> Result<Option<OwnedContext>, Error> {
    let Some(client) = context_owner(transaction, id).await? else {
        return Ok(None);
    };
    transaction.set_client(client);
    let context = transaction
        .fetch(registry::LOCK_CONTEXT, values![client, id])
        .await?;
    Ok(context.map(|context| (client, context)))
}

/// Reads the idempotency record with this digest.
pub(crate) async fn idempotency_record(
    transaction: &Transaction,
    client: ClientId,
    digest: IdempotencyDigest,
) -> Result<Option<IdempotencyRecord>, Error> {
    transaction
        .fetch(registry::IDEMPOTENCY_RECORD, values![client, digest])
        .await
}

/// Writes an idempotency record.
pub(crate) fn put_idempotency_record(
    transaction: &Transaction,
    client: ClientId,
    digest: IdempotencyDigest,
    record: &IdempotencyRecord,
) {
    transaction.enqueue_write(
        registry::SET_IDEMPOTENCY_RECORD,
        values![
            client,
            digest,
            record.parameters,
            record.expires_at,
            record.encode()
        ],
    );
}

/// Appends an audit entry to the log and its hash chain. The head of the log is the last row that a transaction locks.
pub(crate) async fn audit(transaction: &Transaction, entry: &AuditEntry) -> Result<(), Error> {
    audit_all(transaction, std::slice::from_ref(entry)).await
}

/// Appends audit entries in order.
pub(crate) async fn audit_all(
    transaction: &Transaction,
    entries: &[AuditEntry],
) -> Result<(), Error> {
    if entries.is_empty() {
        return Ok(());
    }
    let mut end = transaction
        .fetch(admin::LOCK_AUDIT_HEAD, Vec::new())
        .await?
        .unwrap_or_else(AuditHead::genesis);
    for entry in entries {
        end = end.extended_by(entry);
        transaction.enqueue_write(admin::APPEND_AUDIT, values![end.seq, entry.encode()]);
    }
    transaction.enqueue_write(admin::SET_AUDIT_HEAD, values![end.encode()]);
    Ok(())
}

/// Appends events to the feed of a client, in order, and makes the endpoints of the client due.
///
/// The locked feed gives the events the next numbers in the order of the commits. All endpoints are locked, also those that
/// are due: a claim or a change of an endpoint reads the feed while it holds the lock of the endpoint, so it either reads
/// the new events, or ends before this transaction reads the endpoint. The feed and the endpoints are the last rows of a
/// client that a transaction locks.
pub(crate) async fn append_client_events(
    transaction: &Transaction,
    client: ClientId,
    new_events: impl IntoIterator<Item = NewEvent>,
) -> Result<(), Error> {
    let new_events: Vec<_> = new_events.into_iter().collect();
    if new_events.is_empty() {
        return Ok(());
    }
    let lock_endpoints = (endpoints::LOCK_ENDPOINTS, values![client]);
    let (mut feed, records) = lock_feed_and_endpoints(transaction, client, lock_endpoints).await?;
    let now = transaction.now();
    for new_event in new_events {
        let event = feed.append(new_event, now);
        let address = event_address(&event);
        transaction.enqueue_write(
            events::ADD_CLIENT_EVENT,
            values![client, event.number, event.at, address, event.encode()],
        );
    }
    put_event_feed(transaction, client, &feed);
    for due_record in records.iter().filter_map(|record| record.after_event(now)) {
        put_endpoint(transaction, &due_record);
    }
    Ok(())
}

/// Locks the feed of a client, and then the endpoints that `lock_endpoints` names; returns the state of the feed and the
/// records of the endpoints.
///
/// Both statements are sent in one flight. The second one runs with the lock of the feed, which the creation of an endpoint
/// holds as well, so it reads every endpoint whose first event is not yet in the feed.
pub(crate) async fn lock_feed_and_endpoints(
    transaction: &Transaction,
    client: ClientId,
    lock_endpoints: Write,
) -> Result<(EventFeed, Vec<EndpointRecord>), Error> {
    transaction.set_client(client);
    let reads = [(events::LOCK_EVENT_FEED, values![client]), lock_endpoints];
    let answers = transaction.pipelined_rows(&reads).await?;
    if let [feed_rows, endpoint_rows] = answers.as_slice()
        && let Some(feed_row) = feed_rows.first()
    {
        let records: Result<_, _> = endpoint_rows.iter().map(|row| row.record(0)).collect();
        return Ok((feed_row.record(0)?, records?));
    }
    // The feed was not locked, so an endpoint may have been created meanwhile.
    let feed = lock_event_feed(transaction, client).await?;
    let [_, (sql, values)] = reads;
    Ok((feed, transaction.list(sql, values).await?))
}

/// Locks the feed of a client, whose row is inserted before its first event, and returns its state.
pub(crate) async fn lock_event_feed(
    transaction: &Transaction,
    client: ClientId,
) -> Result<EventFeed, Error> {
    transaction.set_client(client);
    let locked_feed = transaction
        .fetch(events::LOCK_EVENT_FEED, values![client])
        .await?;
    if let Some(feed) = locked_feed {
        return Ok(feed);
    }
    let feed = EventFeed::default();
    transaction
        .execute_sql(
            events::FIRST_EVENT_FEED,
            values![client, feed.last_at, feed.encode()],
        )
        .await?;
    // Another transaction may have inserted the row, and has then committed it.
    let locked_feed = transaction
        .fetch(events::LOCK_EVENT_FEED, values![client])
        .await?;
    locked_feed.ok_or_else(|| Error::damaged("the feed of a client is missing"))
}

/// Enqueues the write of the state of a locked feed.
pub(crate) fn put_event_feed(transaction: &Transaction, client: ClientId, feed: &EventFeed) {
    transaction.enqueue_write(
        events::SET_EVENT_FEED,
        values![client, feed.last_at, feed.encode()],
    );
}

/// Enqueues the deletion of a locked feed to which no event was appended yet. A client without events has no row.
pub(crate) fn drop_empty_feed(transaction: &Transaction, client: ClientId, feed: &EventFeed) {
    if *feed == EventFeed::default() {
        transaction.enqueue_write(events::DROP_EVENT_FEED, values![client]);
    }
}

/// Enqueues the write of a locked endpoint.
pub(crate) fn put_endpoint(transaction: &Transaction, record: &EndpointRecord) {
    transaction.enqueue_write(endpoints::SET_ENDPOINT, endpoint_row(record));
}

/// Returns the values of the columns of an endpoint.
pub(crate) fn endpoint_row(record: &EndpointRecord) -> Vec<Value> {
    values![
        record.endpoint.client,
        record.endpoint.id.to_bytes(),
        record.lane().code(),
        record.due_at,
        record.encode()
    ]
}

/// Locks the verdict on an address and returns it. The context must be locked.
///
/// A lookup locks no context, and marks the verdict as looked up.
pub(crate) async fn lock_verdict(
    transaction: &Transaction,
    ContextKey { client, context }: ContextKey<'_>,
    address: EoaAddress,
) -> Result<Option<Verdict>, Error> {
    transaction
        .fetch(check::LOCK_VERDICT, values![client, context, address])
        .await
}

/// Context with the client that owns it.
#[derive(Clone, Copy)]
pub(crate) struct ContextKey<'a> {
    pub(crate) client: ClientId,
    pub(crate) context: &'a ContextId,
}

/// Appends events to the timeline of an address. The context must be locked.
pub(crate) async fn append_events(
    transaction: &Transaction,
    ContextKey { client, context }: ContextKey<'_>,
    address: EoaAddress,
    events: &[Event],
) -> Result<(), Error> {
    if events.is_empty() {
        return Ok(());
    }
    let last = transaction
        .count(check::LAST_EVENT, values![client, context, address])
        .await?;
    for (number, event) in (last + 1..).zip(events) {
        transaction.enqueue_write(
            check::ADD_EVENT,
            values![client, context, address, number, event.encode()],
        );
    }
    Ok(())
}

/// Reads the meter of a ledger without locking it.
pub(crate) async fn meter(
    transaction: &Transaction,
    LedgerId {
        client,
        environment,
    }: LedgerId,
) -> Result<Option<MeterState>, Error> {
    transaction
        .fetch(billing::METER, values![client, environment])
        .await
}

/// Enqueues the write of a slice of a snapshot.
pub(crate) fn put_snapshot_slice(
    transaction: &Transaction,
    client: ClientId,
    id: SnapshotId,
    index: u64,
    slice: &SnapshotSlice,
) {
    let [first, last] = address_bounds(slice);
    let values = values![
        client,
        &id.to_bytes()[..],
        index,
        first,
        last,
        slice.encode()
    ];
    transaction.enqueue_write(snapshots::SET_SLICE, values);
}
