//! Replacement of verdicts that were re-evaluated.

use crate::PostgresStore;
use crate::common::{self, ContextKey};
use crate::connection::Transaction;
use crate::error::{Error, not_found};
use crate::sql::check;
use crate::value::values;
use async_trait::async_trait;
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
    let locked_context = common::lock_context(transaction, context).await?;
    let (client, _) = locked_context.ok_or_else(|| not_found("context", context))?;
    let stored_verdict: Option<Verdict> = transaction
        .fetch(check::VERDICT, values![client, context, change.address])
        .await?;
    if stored_verdict != Some(change.before) {
        return Ok(None);
    }
    let verdict = change.before.replaced(change.owned, change.unverified);
    transaction.enqueue_write(
        check::SET_VERDICT,
        values![client, context, change.address, verdict.encode()],
    );
    let kind = EventKind::Replayed {
        epoch: verdict.epoch,
        policy: change.policy,
        reason: change.reason.clone(),
    };
    common::append_events(
        transaction,
        ContextKey { client, context },
        change.address,
        &[Event {
            at: transaction.now(),
            kind,
        }],
    )
    .await?;
    common::audit(transaction, audit).await?;
    Ok(Some(verdict))
}
