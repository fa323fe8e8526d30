//! Replaces verdicts after a replay.

use crate::MemoryStore;
use async_trait::async_trait;
use voight_domain::events::verdict_event;
use voight_domain::ports::{ReplayStore, StoreError, VerdictReplacement};
use voight_domain::registry::AuditEntry;
use voight_domain::verdict::{Event, EventKind, Verdict};

#[async_trait]
impl ReplayStore for MemoryStore {
    async fn replace_verdict(
        &self,
        change: VerdictReplacement,
        audit: AuditEntry,
    ) -> Result<Option<Verdict>, StoreError> {
        let mut state = self.state()?;
        let now = self.clock.now();
        let Some(context) = state.contexts.get(&change.context) else {
            return Err(StoreError::Conflict(format!(
                "there is no context {}",
                change.context
            )));
        };
        let client = context.client;
        let subject = (change.context, change.address);
        let Some(old_verdict) = state
            .verdicts
            .get(&subject)
            .filter(|verdict| verdict.has_same_layers(&change.before))
        else {
            return Ok(None);
        };
        let verdict = old_verdict.replaced(change.owned, change.unverified);
        let client_event = verdict_event(context, change.address, Some(old_verdict), &verdict);
        state.append_client_events(client, client_event, now);
        let kind = EventKind::Replayed {
            epoch: verdict.epoch,
            policy: change.policy,
            reason: change.reason,
        };
        state.verdicts.insert(subject.clone(), verdict);
        state
            .events
            .entry(subject)
            .or_default()
            .push(Event { at: now, kind });
        state.audit.push(audit);
        Ok(Some(verdict))
    }
}
