//! Raw evidence, within a budget that all nodes share.

use crate::PostgresStore;
use crate::connection::Transaction;
use crate::dump::share;
use crate::error::Error;
use crate::evidence_shares::{Counted, CountedShares};
use crate::sql::evidence;
use crate::value::{RowExt, Value, values};
use async_trait::async_trait;
use std::sync::Arc;
use std::time::Duration;
use voight_domain::check::{EvidenceBatch, EvidenceShare, EvidenceShares};
use voight_domain::ports::{AppendOutcome, EraseMode, EvidenceStore, StoreError};
use voight_domain::vocabulary::{CheckId, EoaAddress, Timestamp};
use voight_encoding::Encode;

#[async_trait]
impl EvidenceStore for PostgresStore {
    async fn append(
        &self,
        batch: EvidenceBatch,
        keep_until: Timestamp,
    ) -> Result<AppendOutcome, StoreError> {
        let budget = Budget {
            bytes: self.evidence_max_bytes,
            shares: Arc::clone(&self.evidence_shares),
        };
        self.write(
            (batch, keep_until, budget),
            |transaction, (batch, keep_until, budget)| {
                Box::pin(append(transaction, batch, *keep_until, budget))
            },
        )
        .await
    }

    async fn batches(&self, check: CheckId) -> Result<Vec<EvidenceBatch>, StoreError> {
        self.read(check, |transaction, check| {
            Box::pin(transaction.list(evidence::BATCHES, values![*check]))
        })
        .await
    }

    async fn unjudged_checks(
        &self,
        opened_before: Timestamp,
        limit: usize,
    ) -> Result<Vec<CheckId>, StoreError> {
        let arguments = (opened_before, limit);
        self.read(arguments, |transaction, (before, limit)| {
            Box::pin(checks(
                transaction,
                evidence::UNSETTLED,
                values![*before, *limit],
            ))
        })
        .await
    }

    async fn mark_judged(&self, check: CheckId) -> Result<(), StoreError> {
        self.write(check, |transaction, check| {
            Box::pin(settle(transaction, *check))
        })
        .await
    }

    async fn evict(
        &self,
        now: Timestamp,
        retention: Duration,
        limit: usize,
    ) -> Result<usize, StoreError> {
        drop(self.evidence_shares.take());
        let arguments = (now, now.saturating_sub(retention), limit);
        self.write(arguments, |transaction, (now, opened_before, limit)| {
            Box::pin(evict(transaction, *now, *opened_before, *limit))
        })
        .await
    }
}

/// Evidence budget in bytes, with the cached shares of this node.
struct Budget {
    bytes: u64,
    shares: Arc<CountedShares>,
}

async fn append(
    transaction: &Transaction,
    batch: &EvidenceBatch,
    keep_until: Timestamp,
    budget: &Budget,
) -> Result<AppendOutcome, Error> {
    let challenge = &batch.challenge;
    let total = transaction.count(evidence::LOCK_TOTAL, Vec::new()).await?;
    if transaction
        .count(evidence::COUNT_BATCHES, values![challenge.check])
        .await?
        + 1
        != u64::from(batch.number)
    {
        return Ok(AppendOutcome::OutOfOrder);
    }
    transaction
        .execute_sql(
            evidence::ADD_BATCH,
            values![
                challenge.check,
                batch.number,
                challenge.address,
                batch.encode()
            ],
        )
        .await?;
    // Only the body counts towards the budget. The rest of a batch is small and limited by the limits on requests.
    let size = batch.body.len() as u64;
    let share = EvidenceShare::from_first_batch(batch);
    transaction
        .execute_sql(
            evidence::ADD_CHECK,
            values![
                challenge.check,
                challenge.opened_at,
                keep_until,
                share.to_bytes()
            ],
        )
        .await?;
    transaction
        .execute_sql(evidence::ADD_BYTES, values![challenge.check, size])
        .await?;
    budget.shares.add(challenge.check, share, size);
    let total = shrink(transaction, total.saturating_add(size), budget).await?;
    transaction.enqueue_write(evidence::SET_TOTAL, values![total]);
    Ok(AppendOutcome::Stored)
}

/// Evicts evidence, starting with the largest share, until the total is within the budget.
async fn shrink(transaction: &Transaction, mut total: u64, budget: &Budget) -> Result<u64, Error> {
    if total <= budget.bytes {
        return Ok(total);
    }
    let (mut evidence_shares, mut is_fresh) = match budget.shares.take() {
        Some(evidence_shares) => (evidence_shares, false),
        None => (count(transaction, budget.bytes).await?, true),
    };
    while total > budget.bytes {
        match evidence_shares.shares.next_to_evict() {
            Some(check) => {
                evidence_shares.shares.remove(check);
                total = total.saturating_sub(delete_check(transaction, check).await?);
            }
            None if is_fresh => break,
            None => (evidence_shares, is_fresh) = (count(transaction, budget.bytes).await?, true),
        }
    }
    budget.shares.put(evidence_shares);
    Ok(total)
}

/// Reads the shares of all stored evidence.
async fn count(transaction: &Transaction, budget: u64) -> Result<Counted, Error> {
    let mut shares = EvidenceShares::new(budget);
    for row in transaction.rows(evidence::SHARES, Vec::new()).await? {
        let check = CheckId::from_bytes(row.byte_array(0)?);
        shares.add(check, share(&row, 1)?, row.number(2)?);
    }
    Ok(Counted::new(shares))
}

async fn settle(transaction: &Transaction, check: CheckId) -> Result<(), Error> {
    transaction
        .execute_sql(evidence::SETTLE, values![check])
        .await
        .map(drop)
}

async fn evict(
    transaction: &Transaction,
    now: Timestamp,
    opened_before: Timestamp,
    limit: usize,
) -> Result<usize, Error> {
    let total = transaction.count(evidence::LOCK_TOTAL, Vec::new()).await?;
    let (expired_checks, freed_bytes) =
        forget_all(transaction, evidence::DUE, values![now, limit]).await?;
    let (old_checks, old_bytes) = forget_all(
        transaction,
        evidence::OLDER,
        values![opened_before, limit - expired_checks],
    )
    .await?;
    if expired_checks + old_checks > 0 {
        transaction.enqueue_write(
            evidence::SET_TOTAL,
            values![total.saturating_sub(freed_bytes + old_bytes)],
        );
    }
    Ok(expired_checks + old_checks)
}

/// Deletes the evidence of the checks that a statement finds; returns their number and total bytes.
async fn forget_all(
    transaction: &Transaction,
    sql: &'static str,
    values: Vec<Value>,
) -> Result<(usize, u64), Error> {
    let expired_checks = checks(transaction, sql, values).await?;
    let mut freed_bytes = 0;
    for check in &expired_checks {
        freed_bytes += delete_check(transaction, *check).await?;
    }
    Ok((expired_checks.len(), freed_bytes))
}

/// Deletes the evidence of an address, or counts it for a dry run; returns the number of batches.
pub(super) async fn erase(
    transaction: &Transaction,
    address: EoaAddress,
    mode: EraseMode,
) -> Result<u64, Error> {
    let total = transaction.count(evidence::LOCK_TOTAL, Vec::new()).await?;
    let mut batches = 0;
    let mut freed_bytes = 0;
    for check in checks(transaction, evidence::OF_ADDRESS, values![address]).await? {
        batches += transaction
            .count(evidence::COUNT_BATCHES, values![check])
            .await?;
        if mode == EraseMode::Execute {
            freed_bytes += delete_check(transaction, check).await?;
        }
    }
    if freed_bytes > 0 {
        transaction.enqueue_write(
            evidence::SET_TOTAL,
            values![total.saturating_sub(freed_bytes)],
        );
    }
    Ok(batches)
}

/// Deletes all evidence of a check; returns its size in bytes.
async fn delete_check(transaction: &Transaction, check: CheckId) -> Result<u64, Error> {
    transaction
        .execute_sql(evidence::DROP_BATCHES, values![check])
        .await?;
    transaction
        .query_opt(evidence::DROP_CHECK, values![check])
        .await?
        .map_or(Ok(0), |row| row.number(0))
}

async fn checks(
    transaction: &Transaction,
    sql: &str,
    values: Vec<Value>,
) -> Result<Vec<CheckId>, Error> {
    transaction
        .rows(sql, values)
        .await?
        .iter()
        .map(|row| row.byte_array(0).map(CheckId::from_bytes))
        .collect()
}
