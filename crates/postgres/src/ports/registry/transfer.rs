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
pub(super) async fn run(step: &Transaction, transfer: &ContextTransfer) -> Result<TransferOutcome, Error> {
    let (revoked, contexts) = source(step, &transfer.scope).await?;
    let target = keys::holder(step, transfer.to).await?;
    let facts = TransferFacts { target: target.as_ref(), revoked: revoked.as_ref(), contexts };
    let decided = transfer_contexts(transfer, facts, step.now());
    if let Some(key) = &decided.key {
        step.enqueue_write(registry::SET_KEY, values![key.client, key.id, key.encode()]);
    }
    for context in &decided.contexts {
        step.enqueue_write(registry::MOVE_CONTEXT, values![context.client, &context.id, context.key, context.encode()]);
    }
    common::audit_all(step, &decided.audit).await?;
    Ok(decided.outcome)
}

/// Locks the client; reads the key to revoke, if any, and the contexts to move.
async fn source(step: &Transaction, scope: &TransferScope) -> Result<(Option<Key>, Vec<Context>), Error> {
    match scope {
        TransferScope::Context(id) => {
            let Some(client) = common::context_owner(step, id).await? else { return Ok((None, Vec::new())) };
            common::lock_client(step, client).await?;
            let found = common::lock_context(step, id).await?;
            Ok((None, found.into_iter().map(|(_, context)| context).collect()))
        }
        TransferScope::RevokedKey(id) => {
            let Some(key) = keys::find(step, *id).await? else { return Ok((None, Vec::new())) };
            common::lock_client(step, key.client).await?;
            let contexts = step.list(registry::LOCK_CONTEXTS_OF_KEY, values![key.client, *id]).await?;
            Ok((keys::find(step, *id).await?, contexts))
        }
    }
}
