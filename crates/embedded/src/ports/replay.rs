//! Replaces verdicts after a replay.

use crate::EmbeddedStore;
use crate::common::{self, not_found};
use crate::read_records::ReadRecords;
use crate::table;
use crate::write_transaction::WriteTransaction;
use async_trait::async_trait;
use std::sync::Arc;
use voight_domain::events::verdict_event;
use voight_domain::ports::{ReplayStore, StoreError, VerdictReplacement};
use voight_domain::registry::AuditEntry;
use voight_domain::verdict::{Event, EventKind, Verdict};
use voight_domain::vocabulary::Timestamp;
use voight_engine::Engine;

#[async_trait]
impl<E: Engine> ReplayStore for EmbeddedStore<E> {
    async fn replace_verdict(
        &self,
        change: VerdictReplacement,
        audit: AuditEntry,
    ) -> Result<Option<Verdict>, StoreError> {
        let clock = Arc::clone(&self.clock);
        self.main
            .write(move |transaction| replace_in(transaction, change, &audit, clock.now()))
            .await
    }
}

fn replace_in(
    transaction: &mut WriteTransaction<'_>,
    change: VerdictReplacement,
    audit: &AuditEntry,
    now: Timestamp,
) -> Result<Option<Verdict>, StoreError> {
    let (context_key, context) =
        common::context(transaction, &change.context)?.ok_or_else(|| not_found("context"))?;
    let at = table::verdict(context_key, &change.address);
    let Some(old_verdict) = transaction
        .fetch(&at)?
        .filter(|verdict| verdict.has_same_layers(&change.before))
    else {
        return Ok(None);
    };
    let verdict = old_verdict.replaced(change.owned, change.unverified);
    transaction.put(at, &verdict);
    let client_event = verdict_event(&context, change.address, Some(&old_verdict), &verdict);
    common::append_client_event(transaction, context_key.client_number, client_event, now)?;
    let kind = EventKind::Replayed {
        epoch: verdict.epoch,
        policy: change.policy,
        reason: change.reason,
    };
    common::append_event(
        transaction,
        context_key,
        &change.address,
        &Event { at: now, kind },
    )?;
    common::append_audit(transaction, audit)?;
    Ok(Some(verdict))
}
