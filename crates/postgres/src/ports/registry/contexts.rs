//! Operations on contexts.

use super::keys;
use crate::common;
use crate::connection::Transaction;
use crate::error::{Error, already_exists, not_found};
use crate::sql::{check, registry};
use crate::value::values;
use voight_domain::events::context_event;
use voight_domain::metering::{
    IdempotencyInput, IdempotencyRecord, IdempotencyState, RecordedResponse, idempotency_state,
};
use voight_domain::ports::{ContextFilter, RegisterOutcome};
use voight_domain::registry::{AuditEntry, Context, ContextChange, Key};
use voight_domain::vocabulary::ContextId;
use voight_encoding::Encode;

/// Registers a context under the next number of its client, unless the idempotency key was used before.
pub(super) async fn register(
    transaction: &Transaction,
    context: &Context,
    idempotency: Option<&IdempotencyInput>,
    audit: &AuditEntry,
) -> Result<RegisterOutcome, Error> {
    let client = common::lock_client(transaction, context.client).await?;
    let client = client.ok_or_else(|| not_found("client", context.client))?;
    let now = transaction.now();
    let idempotency_record = match idempotency {
        Some(input) => {
            common::idempotency_record(transaction, context.client, input.key_digest).await?
        }
        None => None,
    };
    match idempotency_state(idempotency, idempotency_record.as_ref(), now) {
        IdempotencyState::Free => {}
        IdempotencyState::Replay(RecordedResponse::Context(id)) => {
            return Ok(RegisterOutcome::Replayed(id.clone()));
        }
        IdempotencyState::Replay(_) | IdempotencyState::Mismatch => {
            return Ok(RegisterOutcome::IdempotencyKeyReused);
        }
    }
    let key = transaction
        .fetch::<Key>(registry::KEY, values![context.client, context.key])
        .await?;
    if !key.is_some_and(|key| key.is_active(now)) {
        return Ok(RegisterOutcome::KeyRejected);
    }
    if transaction
        .execute_sql(registry::TAKE_CONTEXT, values![&context.id, context.client])
        .await?
        == 0
    {
        return Err(already_exists("the context's id"));
    }
    let number = u32::try_from(client.contexts + 1).map_err(Error::damaged)?;
    let context = Context {
        number,
        ..context.clone()
    };
    insert(transaction, &context);
    if let Some(input) = idempotency {
        let idempotency_record =
            IdempotencyRecord::new(input, RecordedResponse::Context(context.id.clone()), now);
        common::put_idempotency_record(
            transaction,
            context.client,
            input.key_digest,
            &idempotency_record,
        );
    }
    let event = context_event(None, &context);
    common::append_client_events(transaction, context.client, event).await?;
    common::audit(transaction, audit).await?;
    Ok(RegisterOutcome::Registered(context))
}

/// Enqueues the row of a new context, and its number as the last one of its client.
fn insert(transaction: &Transaction, context: &Context) {
    transaction.enqueue_write(
        registry::SET_CONTEXTS,
        values![context.client, context.number],
    );
    transaction.enqueue_write(
        registry::ADD_CONTEXT,
        values![
            context.client,
            &context.id,
            context.number,
            context.key,
            context.encode()
        ],
    );
}

/// Applies a change to a context.
pub(super) async fn change(
    transaction: &Transaction,
    id: &ContextId,
    change: &ContextChange,
    audit: &AuditEntry,
) -> Result<Option<Context>, Error> {
    let Some((client, context)) = common::lock_context(transaction, id).await? else {
        return Ok(None);
    };
    let new_context = context.clone().with_change(change.clone());
    transaction.enqueue_write(
        registry::SET_CONTEXT,
        values![client, id, new_context.encode()],
    );
    if new_context.archived_at.is_some() {
        transaction.enqueue_write(check::DROP_TOMBSTONES, values![client, id]);
    }
    let event = context_event(Some(&context), &new_context);
    common::append_client_events(transaction, client, event).await?;
    common::audit(transaction, audit).await?;
    Ok(Some(new_context))
}

/// Returns at most `limit` contexts with ids greater than `after`, in ascending order.
pub(super) async fn list(
    transaction: &Transaction,
    filter: ContextFilter,
    previous_id: Option<&ContextId>,
    limit: usize,
) -> Result<Vec<Context>, Error> {
    let previous_id = previous_id.map_or("", ContextId::as_str).as_bytes();
    match filter {
        ContextFilter::All => {
            transaction
                .list(registry::CONTEXTS, values![previous_id, limit])
                .await
        }
        ContextFilter::Client(client) => {
            transaction
                .list(
                    registry::CONTEXTS_OF_CLIENT,
                    values![client, previous_id, limit],
                )
                .await
        }
        ContextFilter::Key(id) => match keys::find(transaction, id).await? {
            Some(key) => {
                transaction
                    .list(
                        registry::CONTEXTS_OF_KEY,
                        values![key.client, previous_id, limit, id],
                    )
                    .await
            }
            None => Ok(Vec::new()),
        },
    }
}
