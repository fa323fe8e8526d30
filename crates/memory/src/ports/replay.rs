//! Replaces verdicts after a replay.

use crate::MemoryStore;
use async_trait::async_trait;
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
        if !state.contexts.contains_key(&change.context) {
            return Err(StoreError::Conflict(format!(
                "there is no context {}",
                change.context
            )));
        }
        let subject = (change.context, change.address);
        if state.verdicts.get(&subject) != Some(&change.before) {
            return Ok(None);
        }
        let verdict = change.before.replaced(change.owned, change.unverified);
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
