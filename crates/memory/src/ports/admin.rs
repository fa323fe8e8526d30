//! Administration: verdicts, overrides, audit log, signing keys.

use crate::MemoryStore;
use async_trait::async_trait;
use std::io;
use std::ops::Bound;
use voight_domain::events::verdict_event;
use voight_domain::ports::{
    AdminStore, AuditRecord, Health, Override, StoreError, StoreInfo, VerdictRecord,
};
use voight_domain::registry::{AuditEntry, AuditHead};
use voight_domain::verdict::{Event, EventKind, Verdict};
use voight_domain::vocabulary::{ContextId, EoaAddress};

#[async_trait]
impl AdminStore for MemoryStore {
    async fn verdicts(
        &self,
        context: &ContextId,
        after: Option<EoaAddress>,
        limit: usize,
    ) -> Result<Vec<VerdictRecord>, StoreError> {
        let state = self.state()?;
        let first = after.map_or_else(
            || Bound::Included((context.clone(), EoaAddress::from_bytes([0; 20]))),
            |after| Bound::Excluded((context.clone(), after)),
        );
        let from_there = state.verdicts.range((first, Bound::Unbounded));
        let in_context = from_there.take_while(|((owner, _), _)| owner == context);
        let records = in_context.map(|((_, address), verdict)| VerdictRecord {
            address: *address,
            verdict: *verdict,
        });
        Ok(records.take(limit).collect())
    }

    async fn override_verdict(
        &self,
        change: Override,
        audit: AuditEntry,
    ) -> Result<Verdict, StoreError> {
        let mut state = self.state()?;
        let now = self.clock.now();
        let Some(context) = state.contexts.get(&change.context) else {
            return Err(StoreError::Conflict(format!(
                "there is no context {}",
                change.context
            )));
        };
        let client = context.client;
        let subject = (change.context.clone(), change.address);
        let old_verdict = state.verdicts.get(&subject);
        let verdict =
            old_verdict
                .copied()
                .unwrap_or_default()
                .overridden(change.verdict, change.tau, now);
        let client_event = verdict_event(context, change.address, old_verdict, &verdict);
        state.append_client_events(client, client_event, now);
        let kind = EventKind::Overridden {
            epoch: verdict.epoch,
            to: change.verdict,
            reason: change.reason,
        };
        state.verdicts.insert(subject.clone(), verdict);
        state.tombstones.remove(&(change.context, change.digest));
        state
            .events
            .entry(subject)
            .or_default()
            .push(Event { at: now, kind });
        state.audit.push(audit);
        Ok(verdict)
    }

    async fn audit(&self, after: u64, limit: usize) -> Result<Vec<AuditRecord>, StoreError> {
        let state = self.state()?;
        let entries = (1..).zip(&state.audit).filter(|(seq, _)| *seq > after);
        Ok(entries
            .take(limit)
            .map(|(seq, entry)| AuditRecord {
                seq,
                entry: entry.clone(),
            })
            .collect())
    }

    async fn audit_head(&self) -> Result<AuditHead, StoreError> {
        Ok(self
            .state()?
            .audit
            .iter()
            .fold(AuditHead::genesis(), AuditHead::extended_by))
    }

    async fn signing_key(&self) -> Result<u32, StoreError> {
        Ok(self.state()?.signing_key)
    }

    async fn activate_signing_key(&self, number: u32, audit: AuditEntry) -> Result<(), StoreError> {
        let mut state = self.state()?;
        if number == state.signing_key {
            return Ok(());
        }
        if state.signing_key.checked_add(1) != Some(number) {
            return Err(StoreError::Conflict(format!(
                "signing key {number} does not follow {}",
                state.signing_key
            )));
        }
        state.signing_key = number;
        state.audit.push(audit);
        Ok(())
    }

    fn backup(&self, _: &mut dyn io::Write) -> Result<u64, StoreError> {
        let why = "a store in memory ends with its process and has no backup; start the service on one that stays, for example redb:PATH";
        Err(StoreError::Conflict(why.to_owned()))
    }

    fn info(&self) -> StoreInfo {
        self.info.clone()
    }

    fn health(&self) -> Health {
        if self.is_poisoned() {
            Health::Failed("a call panicked half-way; start the process again".to_owned())
        } else {
            Health::Ready
        }
    }
}
