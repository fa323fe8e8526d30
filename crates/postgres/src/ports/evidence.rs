//! Raw evidence within a budget, which all nodes share.

use crate::PostgresStore;
use crate::error::Error;
use crate::sql::evidence;
use crate::step::Step;
use crate::value::{Columns, Value, values};
use async_trait::async_trait;
use std::time::Duration;
use voight_domain::check::EvidenceBatch;
use voight_domain::ports::{Appended, EvidenceStore, StoreError};
use voight_domain::vocabulary::{CheckId, EoaAddress, Timestamp};
use voight_record::Encoded;

/// Checks that are looked at together when the budget is exceeded.
const SLICE: usize = 64;

#[async_trait]
impl EvidenceStore for PostgresStore {
    async fn append(&self, batch: EvidenceBatch, keep_until: Timestamp) -> Result<Appended, StoreError> {
        let arguments = (batch, keep_until, self.evidence_budget);
        self.write(arguments, |step, (batch, keep_until, budget)| Box::pin(append(step, batch, *keep_until, *budget)))
            .await
    }

    async fn batches(&self, check: CheckId) -> Result<Vec<EvidenceBatch>, StoreError> {
        self.read(check, |step, check| Box::pin(step.list(evidence::BATCHES, values![*check]))).await
    }

    async fn unsettled(&self, opened_before: Timestamp, limit: usize) -> Result<Vec<CheckId>, StoreError> {
        let arguments = (opened_before, limit);
        self.read(arguments, |step, (before, limit)| {
            Box::pin(checks(step, evidence::UNSETTLED, values![*before, *limit]))
        })
        .await
    }

    async fn settle(&self, check: CheckId) -> Result<(), StoreError> {
        self.write(check, |step, check| Box::pin(settle(step, *check))).await
    }

    async fn evict(&self, now: Timestamp, retention: Duration, limit: usize) -> Result<usize, StoreError> {
        let arguments = (now, now.minus(retention), limit);
        self.write(arguments, |step, (now, opened_before, limit)| Box::pin(evict(step, *now, *opened_before, *limit)))
            .await
    }
}

async fn append(step: &Step, batch: &EvidenceBatch, keep_until: Timestamp, budget: u64) -> Result<Appended, Error> {
    let challenge = &batch.challenge;
    let total = step.count(evidence::LOCK_TOTAL, Vec::new()).await?;
    if step.count(evidence::COUNT_BATCHES, values![challenge.check]).await? + 1 != u64::from(batch.number) {
        return Ok(Appended::NotNext);
    }
    step.run(evidence::ADD_BATCH, values![challenge.check, batch.number, challenge.address, batch.encode()]).await?;
    // What a batch counts for is its body. The rest is small, and bounded by the limits on a request.
    let size = batch.body.len() as u64;
    step.run(evidence::ADD_CHECK, values![challenge.check, challenge.opened_at, keep_until]).await?;
    step.run(evidence::ADD_BYTES, values![challenge.check, size]).await?;
    let total = shrink(step, total.saturating_add(size), budget).await?;
    step.put(evidence::SET_TOTAL, values![total]);
    Ok(Appended::Kept)
}

/// Evicts the oldest checks until the budget holds.
async fn shrink(step: &Step, mut total: u64, budget: u64) -> Result<u64, Error> {
    while total > budget {
        let oldest = checks(step, evidence::OLDEST, values![SLICE]).await?;
        if oldest.is_empty() {
            break;
        }
        for check in oldest {
            if total <= budget {
                break;
            }
            total = total.saturating_sub(forget(step, check).await?);
        }
    }
    Ok(total)
}

async fn settle(step: &Step, check: CheckId) -> Result<(), Error> {
    step.run(evidence::SETTLE, values![check]).await.map(drop)
}

async fn evict(step: &Step, now: Timestamp, opened_before: Timestamp, limit: usize) -> Result<usize, Error> {
    let total = step.count(evidence::LOCK_TOTAL, Vec::new()).await?;
    let (ended, freed) = forget_all(step, evidence::DUE, values![now, limit]).await?;
    let (old, freed_too) = forget_all(step, evidence::OLDER, values![opened_before, limit - ended]).await?;
    if ended + old > 0 {
        step.put(evidence::SET_TOTAL, values![total.saturating_sub(freed + freed_too)]);
    }
    Ok(ended + old)
}

/// Removes the evidence of the checks that a statement finds; of how many, and their bytes.
async fn forget_all(step: &Step, sql: &'static str, values: Vec<Value>) -> Result<(usize, u64), Error> {
    let found = checks(step, sql, values).await?;
    let mut freed = 0;
    for check in &found {
        freed += forget(step, *check).await?;
    }
    Ok((found.len(), freed))
}

/// Removes the evidence of an address, or counts it; how many batches there were.
pub(super) async fn erase(step: &Step, address: EoaAddress, dry_run: bool) -> Result<u64, Error> {
    let total = step.count(evidence::LOCK_TOTAL, Vec::new()).await?;
    let (mut batches, mut freed) = (0, 0);
    for check in checks(step, evidence::OF_ADDRESS, values![address]).await? {
        batches += step.count(evidence::COUNT_BATCHES, values![check]).await?;
        if !dry_run {
            freed += forget(step, check).await?;
        }
    }
    if freed > 0 {
        step.put(evidence::SET_TOTAL, values![total.saturating_sub(freed)]);
    }
    Ok(batches)
}

/// Removes all that is kept of a check's evidence; returns its bytes.
async fn forget(step: &Step, check: CheckId) -> Result<u64, Error> {
    step.run(evidence::DROP_BATCHES, values![check]).await?;
    step.change(evidence::DROP_CHECK, values![check]).await?.map_or(Ok(0), |row| row.number(0))
}

async fn checks(step: &Step, sql: &str, values: Vec<Value>) -> Result<Vec<CheckId>, Error> {
    step.rows(sql, values).await?.iter().map(|row| row.fixed(0).map(CheckId::from_bytes)).collect()
}
