//! Replacement of verdicts that were re-evaluated.

use crate::PostgresStore;
use crate::common::{self, ContextKey};
use crate::connection::Transaction;
use crate::error::{Error, not_found};
use crate::sql::check;
use crate::value::values;
use async_trait::async_trait;
use voight_domain::events::verdict_event;
use voight_domain::ports::{ReplayStore, StoreError, VerdictReplacement};
use voight_domain::registry::AuditEntry;
use voight_domain::verdict::{Event, EventKind, Verdict};
use voight_encoding::Encode;

#[async_trait]
impl ReplayStore for PostgresStore {
    async fn replace_verdict(
        &self,
        change: VerdictReplacement,
        audit: AuditEntry,
    ) -> Result<Option<Verdict>, StoreError> {
        self.write((change, audit), |transaction, (change, audit)| {
            Box::pin(replace_in(transaction, change, audit))
        })
        .await
    }
}

async fn replace_in(
    transaction: &Transaction,
    change: &VerdictReplacement,
    audit: &AuditEntry,
) -> Result<Option<Verdict>, Error> {
    let context = &change.context;
    let owned_context = common::lock_context(transaction, context).await?;
    let (client, locked_context) = owned_context.ok_or_else(|| not_found("context", context))?;
    let context_key = ContextKey { client, context };
    let Some(old_verdict) = common::lock_verdict(transaction, context_key, change.address)
        .await?
        .filter(|verdict| verdict.has_same_layers(&change.before))
    else {
        return Ok(None);
    };
    let verdict = old_verdict.replaced(change.owned, change.unverified);
    transaction.enqueue_write(
        check::SET_VERDICT,
        values![client, context, change.address, verdict.encode()],
    );
    let kind = EventKind::Replayed {
        epoch: verdict.epoch,
        policy: change.policy,
        reason: change.reason.clone(),
    };
    let event = Event {
        at: transaction.now(),
        kind,
    };
    common::append_events(transaction, context_key, change.address, &[event]).await?;
    let client_event = verdict_event(
        &locked_context,
        change.address,
        Some(&old_verdict),
        &verdict,
    );
    common::append_client_events(transaction, client, client_event).await?;
    common::audit(transaction, audit).await?;
    Ok(Some(verdict))
}
