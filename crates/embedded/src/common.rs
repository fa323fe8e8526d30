//! Reads, writes and errors that several ports share.

use crate::read_records::{ReadRecords, corrupt_record};
use crate::record::{ClientCounters, ContextLocation, DueEndpoint, Record};
use crate::table::{self, ClientNumber, KeyRange, RecordKey};
use crate::write_transaction::WriteTransaction;
use voight_domain::events::{EventFeed, NewEvent};
use voight_domain::metering::MeterState;
use voight_domain::ports::StoreError;
use voight_domain::registry::{AuditEntry, AuditHead, Context};
use voight_domain::verdict::Event;
use voight_domain::vocabulary::{ClientId, ContextId, Environment, EoaAddress, Timestamp};
use voight_domain::webhooks::{EndpointRecord, MAX_ENDPOINTS};
use voight_engine::Order;

/// Returns the error for a change of a missing entity.
pub(crate) fn not_found(what: &str) -> StoreError {
    StoreError::Conflict(format!("there is no such {what}"))
}

/// Returns the error for a new entity whose id or name is in use.
pub(crate) fn already_exists(what: &str) -> StoreError {
    StoreError::Conflict(format!("{what} is taken"))
}

/// Returns the number of a client.
pub(crate) fn client_number(
    view: &impl ReadRecords,
    id: ClientId,
) -> Result<Option<ClientNumber>, StoreError> {
    Ok(view
        .fetch(&table::client(id))?
        .map(|record| record.client_number))
}

/// Returns a context with its location.
pub(crate) fn context(
    view: &impl ReadRecords,
    id: &ContextId,
) -> Result<Option<(ContextLocation, Context)>, StoreError> {
    let Some(context_key) = view.fetch(&table::context_key(id))? else {
        return Ok(None);
    };
    Ok(view
        .fetch(&table::context(context_key.client_number, id))?
        .map(|context| (context_key, context)))
}

/// Appends an entry to the audit log and its hash chain.
pub(crate) fn append_audit(
    transaction: &mut WriteTransaction<'_>,
    entry: &AuditEntry,
) -> Result<(), StoreError> {
    let end = audit_head(transaction)?.extended_by(entry);
    transaction.put(table::audit(end.seq), entry);
    transaction.put(table::audit_head(), &end);
    Ok(())
}

/// Returns the head of the audit log.
pub(crate) fn audit_head(view: &impl ReadRecords) -> Result<AuditHead, StoreError> {
    let head = load_tail(view, &table::audit_head(), &KeyRange::<AuditEntry>::all())?;
    Ok(head.unwrap_or_else(AuditHead::genesis))
}

/// Appends an event to the feed of a client, if there is one, and makes the client's webhook endpoints due.
pub(crate) fn append_client_event(
    transaction: &mut WriteTransaction<'_>,
    client_number: ClientNumber,
    event: Option<NewEvent>,
    now: Timestamp,
) -> Result<(), StoreError> {
    let Some(event) = event else {
        return Ok(());
    };
    let mut feed = event_feed(transaction, client_number)?;
    let client_event = feed.append(event, now);
    transaction.put(
        table::client_event(client_number, client_event.number),
        &client_event,
    );
    transaction.put(table::event_feed(client_number), &feed);
    let endpoints = transaction.list(&table::endpoints(client_number), MAX_ENDPOINTS)?;
    for record in endpoints {
        if let Some(due_record) = record.after_event(now) {
            put_endpoint(transaction, client_number, &due_record)?;
        }
    }
    Ok(())
}

/// Writes a webhook endpoint and its index entry. No other function writes them.
pub(crate) fn put_endpoint(
    transaction: &mut WriteTransaction<'_>,
    client_number: ClientNumber,
    record: &EndpointRecord,
) -> Result<(), StoreError> {
    let key = table::endpoint(client_number, record.endpoint.id);
    if let Some(previous_record) = transaction.fetch(&key)? {
        remove_endpoint(transaction, client_number, &previous_record);
    }
    if let Some(index_key) = table::due_endpoint(client_number, record) {
        transaction.put(index_key, &DueEndpoint);
    }
    transaction.put(key, record);
    Ok(())
}

/// Removes a webhook endpoint, which is stored as `record`, and its index entry.
pub(crate) fn remove_endpoint(
    transaction: &mut WriteTransaction<'_>,
    client_number: ClientNumber,
    record: &EndpointRecord,
) {
    if let Some(index_key) = table::due_endpoint(client_number, record) {
        transaction.remove(index_key);
    }
    transaction.remove(table::endpoint(client_number, record.endpoint.id));
}

/// Returns the state of a client's feed.
pub(crate) fn event_feed(
    view: &impl ReadRecords,
    client_number: ClientNumber,
) -> Result<EventFeed, StoreError> {
    let feed = load_tail(
        view,
        &table::event_feed(client_number),
        &table::client_events(client_number),
    )?;
    Ok(feed.unwrap_or_default())
}

/// Returns a client's meter; `None` before the first lookup and the first limit.
pub(crate) fn meter(
    view: &impl ReadRecords,
    client_number: ClientNumber,
    environment: Environment,
) -> Result<Option<MeterState>, StoreError> {
    load_tail(
        view,
        &table::meter(client_number, environment),
        &table::rows(client_number, environment),
    )
}

/// Returns the counters of a client.
pub(crate) fn client_counters(
    view: &impl ReadRecords,
    client_number: ClientNumber,
) -> Result<ClientCounters, StoreError> {
    Ok(load_tail(
        view,
        &table::counts(client_number),
        &table::keys(client_number),
    )?
    .unwrap_or_default())
}

/// Loads the record that stores the end of a list.
///
/// A corrupt key hides that record. If this were taken for an empty list, new entries would overwrite existing ones, so
/// a missing end with a nonempty list is reported as corruption.
pub(crate) fn load_tail<R: Record, L: Record>(
    view: &impl ReadRecords,
    end: &RecordKey<R>,
    list: &KeyRange<L>,
) -> Result<Option<R>, StoreError> {
    let record = view.fetch(end)?;
    if record.is_none() && !view.list(list, 1)?.is_empty() {
        let what = format_args!("it is missing, though there is a {}", L::TABLE.name());
        return Err(corrupt_record(R::TABLE.name(), &end.key, what));
    }
    Ok(record)
}

/// Appends an event to the timeline of an address.
pub(crate) fn append_event(
    transaction: &mut WriteTransaction<'_>,
    context: ContextLocation,
    address: &EoaAddress,
    event: &Event,
) -> Result<(), StoreError> {
    let last = last_number(transaction, &table::timeline(context, address))?;
    transaction.put(table::event(context, address, last + 1), event);
    Ok(())
}

/// Returns the number at the end of the last key, or 0 for an empty range.
fn last_number<R: Record>(view: &impl ReadRecords, span: &KeyRange<R>) -> Result<u64, StoreError> {
    let last = view.collect(span, Order::Descending, 1, |key, _| {
        table::tail(key).map_or(0, u64::from_be_bytes)
    })?;
    Ok(last.first().copied().unwrap_or(0))
}
