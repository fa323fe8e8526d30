//! Write transactions on contexts.

use super::keys;
use crate::common::{self, already_exists, not_found};
use crate::idempotency::IdempotencyTable;
use crate::ports::erasure;
use crate::read_records::ReadRecords;
use crate::record::{ClientCounters, ContextLocation};
use crate::table::{self, KeyRange};
use crate::write_transaction::WriteTransaction;
use std::ops::ControlFlow;
use voight_domain::events::context_event;
use voight_domain::metering::{
    IdempotencyInput, IdempotencyRecord, IdempotencyState, RecordedResponse, idempotency_state,
};
use voight_domain::ports::{ContextFilter, RegisterOutcome, StoreError};
use voight_domain::registry::{AuditEntry, Context, ContextChange, NewContext};
use voight_domain::vocabulary::{ContextId, Timestamp};
use voight_engine::Order;

/// Registers a context and assigns its number within the client, or replays the idempotency record.
pub(super) fn register(
    transaction: &mut WriteTransaction<'_>,
    context: NewContext,
    input: Option<&IdempotencyInput>,
    idempotency: &IdempotencyTable,
    audit: &AuditEntry,
    now: Timestamp,
) -> Result<RegisterOutcome, StoreError> {
    let client_number =
        common::client_number(transaction, context.client)?.ok_or_else(|| not_found("client"))?;
    let idempotency_record = match input {
        Some(input) => idempotency.find(transaction, client_number, input.key_digest)?,
        None => None,
    };
    match idempotency_state(input, idempotency_record.as_ref(), now) {
        IdempotencyState::Free => {}
        IdempotencyState::Replay(RecordedResponse::Context(id)) => {
            return Ok(RegisterOutcome::Replayed(id.clone()));
        }
        IdempotencyState::Replay(_) | IdempotencyState::Mismatch => {
            return Ok(RegisterOutcome::IdempotencyKeyReused);
        }
    }
    if !transaction
        .fetch(&table::key(client_number, context.key))?
        .is_some_and(|key| key.is_active(now))
    {
        return Ok(RegisterOutcome::KeyRejected);
    }
    if transaction.holds(&table::context_key(&context.id))? {
        return Err(already_exists("the context's id"));
    }
    let counts = common::client_counters(transaction, client_number)?;
    let context = Context {
        number: counts.contexts + 1,
        ..context
    };
    transaction.put(
        table::counts(client_number),
        &ClientCounters {
            contexts: context.number,
            ..counts
        },
    );
    transaction.put(
        table::context_key(&context.id),
        &ContextLocation {
            client_number,
            number: context.number,
        },
    );
    transaction.put(table::context(client_number, &context.id), &context);
    if let Some(input) = input {
        let answer =
            IdempotencyRecord::new(input, RecordedResponse::Context(context.id.clone()), now);
        idempotency.put(transaction, client_number, input.key_digest, &answer, now)?;
    }
    let event = context_event(None, &context);
    common::append_client_event(transaction, client_number, event, now)?;
    common::append_audit(transaction, audit)?;
    Ok(RegisterOutcome::Registered(context))
}

/// Applies a change to a context.
pub(super) fn change(
    transaction: &mut WriteTransaction<'_>,
    id: &ContextId,
    change: ContextChange,
    audit: &AuditEntry,
    now: Timestamp,
) -> Result<Option<Context>, StoreError> {
    let Some((context_key, context)) = common::context(transaction, id)? else {
        return Ok(None);
    };
    let new_context = context.clone().with_change(change);
    transaction.put(table::context(context_key.client_number, id), &new_context);
    if new_context.archived_at.is_some() {
        erasure::delete_tombstones(transaction, context_key)?;
    }
    let event = context_event(Some(&context), &new_context);
    common::append_client_event(transaction, context_key.client_number, event, now)?;
    common::append_audit(transaction, audit)?;
    Ok(Some(new_context))
}

/// Returns at most `limit` contexts with ids after `after`, sorted by id.
pub(super) fn list(
    view: &impl ReadRecords,
    filter: ContextFilter,
    after: Option<&ContextId>,
    limit: usize,
) -> Result<Vec<Context>, StoreError> {
    let (client_number, key) = match filter {
        ContextFilter::All => return every(view, after, limit),
        ContextFilter::Client(client) => (common::client_number(view, client)?, None),
        ContextFilter::Key(id) => (
            keys::find(view, id)?.map(|(client_number, _)| client_number),
            Some(id),
        ),
    };
    let Some(client_number) = client_number else {
        return Ok(Vec::new());
    };
    let page =
        table::contexts(client_number).after_any(after.map(|id| table::context(client_number, id)));
    let mut contexts = Vec::new();
    if limit == 0 {
        return Ok(contexts);
    }
    view.scan(&page, Order::Ascending, |_, context| {
        if key.is_none_or(|key| context.key == key) {
            contexts.push(context);
        }
        if contexts.len() == limit {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    })?;
    Ok(contexts)
}

/// Lists contexts of all clients. The index of contexts is sorted by id across clients.
fn every(
    view: &impl ReadRecords,
    after: Option<&ContextId>,
    limit: usize,
) -> Result<Vec<Context>, StoreError> {
    let page = KeyRange::all().after_any(after.map(table::context_key));
    let contexts = view.collect(&page, Order::Ascending, limit, |key, context_key| {
        let id: Option<ContextId> = std::str::from_utf8(key.get(1..)?).ok()?.parse().ok();
        Some((context_key.client_number, id?))
    })?;
    let mut page_contexts = Vec::new();
    for (client_number, id) in contexts.into_iter().flatten() {
        page_contexts.extend(view.fetch(&table::context(client_number, &id))?);
    }
    Ok(page_contexts)
}
