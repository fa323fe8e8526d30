//! Transfers contexts to another API key.

use super::{contexts, keys};
use crate::common;
use crate::table;
use crate::write_transaction::WriteTransaction;
use voight_domain::ports::{ContextFilter, StoreError};
use voight_domain::registry::{
    Context, ContextTransfer, Key, TransferFacts, TransferOutcome, TransferScope, transfer_contexts,
};
use voight_domain::vocabulary::Timestamp;

/// Transfers contexts to another API key of their client, and revokes the source key if requested.
pub(super) fn run(
    transaction: &mut WriteTransaction<'_>,
    transfer: &ContextTransfer,
    now: Timestamp,
) -> Result<TransferOutcome, StoreError> {
    let target = keys::find_with_client(transaction, transfer.to)?;
    let (revoked_key, contexts) = source(transaction, &transfer.scope)?;
    let facts = TransferFacts {
        target: target.as_ref().map(|(_, key)| key),
        revoked: revoked_key.as_ref(),
        contexts,
    };
    let step = transfer_contexts(transfer, facts, now);
    if let Some(key) = &step.key
        && let Some(client_number) = common::client_number(transaction, key.client)?
    {
        transaction.put(table::key(client_number, key.id), key);
    }
    for context in &step.contexts {
        if let Some(client_number) = common::client_number(transaction, context.client)? {
            transaction.put(table::context(client_number, &context.id), context);
        }
    }
    if let Some((client_number, _)) = target {
        for event in step.events {
            common::append_client_event(transaction, client_number, Some(event), now)?;
        }
    }
    for entry in &step.audit {
        common::append_audit(transaction, entry)?;
    }
    Ok(step.outcome)
}

/// Returns the key to revoke, if any, and the contexts to transfer.
fn source(
    transaction: &WriteTransaction<'_>,
    scope: &TransferScope,
) -> Result<(Option<Key>, Vec<Context>), StoreError> {
    match scope {
        TransferScope::Context(id) => {
            let located_context = common::context(transaction, id)?;
            Ok((
                None,
                located_context
                    .into_iter()
                    .map(|(_, context)| context)
                    .collect(),
            ))
        }
        TransferScope::RevokedKey(id) => {
            let key = keys::find(transaction, *id)?.map(|(_, key)| key);
            Ok((
                key,
                contexts::list(transaction, ContextFilter::Key(*id), None, usize::MAX)?,
            ))
        }
    }
}
