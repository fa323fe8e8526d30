//! Raw evidence.

use crate::MemoryStore;
use crate::state::State;
use crate::stored_evidence::StoredEvidence;
use async_trait::async_trait;
use std::collections::BTreeMap;
use std::time::Duration;
use voight_domain::check::{EvidenceBatch, EvidenceShare, EvidenceShares};
use voight_domain::ports::{AppendOutcome, EvidenceStore, StoreError};
use voight_domain::vocabulary::{CheckId, Timestamp};

#[async_trait]
impl EvidenceStore for MemoryStore {
    async fn append(
        &self,
        batch: EvidenceBatch,
        keep_until: Timestamp,
    ) -> Result<AppendOutcome, StoreError> {
        let mut state = self.state()?;
        let check = batch.challenge.check;
        let opened_at = batch.challenge.opened_at;
        if state.evidence.get(&check).map_or(0, StoredEvidence::count) + 1
            != u64::from(batch.number)
        {
            return Ok(AppendOutcome::OutOfOrder);
        }
        let share = EvidenceShare::from_first_batch(&batch);
        let fresh = || StoredEvidence {
            opened_at,
            keep_until,
            settled: false,
            share,
            batches: BTreeMap::new(),
        };
        let evidence = state.evidence.entry(check).or_insert_with(fresh);
        evidence.batches.insert(batch.number, batch);
        while state.evidence_bytes() > self.evidence_max_bytes {
            state.evict_largest(self.evidence_max_bytes);
        }
        Ok(AppendOutcome::Stored)
    }

    async fn batches(&self, check: CheckId) -> Result<Vec<EvidenceBatch>, StoreError> {
        let state = self.state()?;
        Ok(state
            .evidence
            .get(&check)
            .map_or_else(Vec::new, |evidence| {
                evidence.batches.values().cloned().collect()
            }))
    }

    async fn unjudged_checks(
        &self,
        opened_before: Timestamp,
        limit: usize,
    ) -> Result<Vec<CheckId>, StoreError> {
        let state = self.state()?;
        let open = state
            .oldest_first()
            .into_iter()
            .filter(|(opened_at, check)| {
                *opened_at < opened_before
                    && state
                        .evidence
                        .get(check)
                        .is_some_and(|evidence| !evidence.settled)
            });
        Ok(open.take(limit).map(|(_, check)| check).collect())
    }

    async fn mark_judged(&self, check: CheckId) -> Result<(), StoreError> {
        if let Some(kept) = self.state()?.evidence.get_mut(&check) {
            kept.settled = true;
        }
        Ok(())
    }

    async fn evict(
        &self,
        now: Timestamp,
        retention: Duration,
        limit: usize,
    ) -> Result<usize, StoreError> {
        let mut state = self.state()?;
        let expired_checks = state.evict(|evidence| evidence.keep_until, now, limit);
        let old_checks = state.evict(
            |evidence| evidence.opened_at,
            now.saturating_sub(retention),
            limit - expired_checks,
        );
        Ok(expired_checks + old_checks)
    }
}

impl State {
    fn evidence_bytes(&self) -> u64 {
        self.evidence
            .values()
            .flat_map(|evidence| evidence.batches.values())
            .map(|batch| batch.body.len() as u64)
            .sum()
    }

    /// Returns the checks with evidence, sorted by opening time.
    fn oldest_first(&self) -> Vec<(Timestamp, CheckId)> {
        self.in_order_of(|evidence| evidence.opened_at)
    }

    fn in_order_of(
        &self,
        time: impl Fn(&StoredEvidence) -> Timestamp,
    ) -> Vec<(Timestamp, CheckId)> {
        let mut checks: Vec<_> = self
            .evidence
            .iter()
            .map(|(check, kept)| (time(kept), *check))
            .collect();
        checks.sort_unstable();
        checks
    }

    /// Removes the evidence of the first `limit` checks whose `time` is before `before`. Returns their number.
    fn evict(
        &mut self,
        time: impl Fn(&StoredEvidence) -> Timestamp,
        before: Timestamp,
        limit: usize,
    ) -> usize {
        let mut checks = self.in_order_of(time);
        checks.retain(|(time, _)| *time < before);
        checks.truncate(limit);
        for (_, check) in &checks {
            self.evidence.remove(check);
        }
        checks.len()
    }

    /// Evicts the evidence of one check, chosen by the shares of networks and contexts.
    fn evict_largest(&mut self, budget: u64) {
        let mut shares = EvidenceShares::new(budget);
        for (check, kept) in &self.evidence {
            for batch in kept.batches.values() {
                shares.add(*check, kept.share, batch.body.len() as u64);
            }
        }
        if let Some(check) = shares.next_to_evict() {
            self.evidence.remove(&check);
        }
    }
}
