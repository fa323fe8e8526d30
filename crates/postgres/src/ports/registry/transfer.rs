//! Transfer of contexts to another key.

use super::keys;
use crate::common;
use crate::connection::Transaction;
use crate::error::Error;
use crate::sql::registry;
use crate::value::values;
use voight_domain::registry::{
    Context, ContextTransfer, Key, TransferFacts, TransferOutcome, TransferScope, transfer_contexts,
};
use voight_encoding::Encode;

/// Moves contexts to another key of the same client; revokes the old key if the scope is a whole key.
///
/// The client is locked, so that no context is registered and no key changes meanwhile.
pub(super) async fn run(
    transaction: &Transaction,
    transfer: &ContextTransfer,
) -> Result<TransferOutcome, Error> {
    let (revoked_key, contexts) = source(transaction, &transfer.scope).await?;
    let target = keys::find_with_client(transaction, transfer.to).await?;
    let facts = TransferFacts {
        target: target.as_ref(),
        revoked: revoked_key.as_ref(),
        contexts,
    };
    let step = transfer_contexts(transfer, facts, transaction.now());
    if let Some(key) = &step.key {
        transaction.enqueue_write(registry::SET_KEY, values![key.client, key.id, key.encode()]);
    }
    for context in &step.contexts {
        transaction.enqueue_write(
            registry::MOVE_CONTEXT,
            values![context.client, &context.id, context.key, context.encode()],
        );
    }
    if let Some(target) = &target {
        common::append_client_events(transaction, target.client.id, step.events).await?;
    }
    common::audit_all(transaction, &step.audit).await?;
    Ok(step.outcome)
}

/// Locks the client; reads the key to revoke, if any, and the contexts to move.
async fn source(
    transaction: &Transaction,
    scope: &TransferScope,
) -> Result<(Option<Key>, Vec<Context>), Error> {
    match scope {
        TransferScope::Context(id) => {
            let Some(client) = common::context_owner(transaction, id).await? else {
                return Ok((None, Vec::new()));
            };
            common::lock_client(transaction, client).await?;
            let locked_context = common::lock_context(transaction, id).await?;
            Ok((
                None,
                locked_context
                    .into_iter()
                    .map(|(_, context)| context)
                    .collect(),
            ))
        }
        TransferScope::RevokedKey(id) => {
            let Some(key) = keys::find(transaction, *id).await? else {
                return Ok((None, Vec::new()));
            };
            common::lock_client(transaction, key.client).await?;
            let contexts = transaction
                .list(registry::LOCK_CONTEXTS_OF_KEY, values![key.client, *id])
                .await?;
            Ok((keys::find(transaction, *id).await?, contexts))
        }
    }
}
