//! Raw evidence within a byte budget.

use crate::EmbeddedStore;
use crate::read_records::ReadRecords;
use crate::record::{EvidenceByExpiry, EvidenceSummary, EvidenceTotal, Record, UnjudgedCheck};
use crate::table::{self, KeyRange};
use crate::write_transaction::WriteTransaction;
use async_trait::async_trait;
use std::sync::{Arc, PoisonError};
use std::time::Duration;
use voight_domain::check::{EvidenceBatch, EvidenceShare, EvidenceShares};
use voight_domain::ports::{AppendOutcome, EvidenceStore, StoreError};
use voight_domain::vocabulary::{CheckId, Timestamp};
use voight_engine::{Engine, Order};

/// Maximum number of checks whose evidence one append evicts. An append adds at most 64 KiB, which is less than that
/// many checks hold, so eviction keeps up with any flood; after the budget was lowered it is reached gradually.
const MAX_EVICTIONS_PER_APPEND: usize = 256;

#[async_trait]
impl<E: Engine> EvidenceStore for EmbeddedStore<E> {
    async fn append(
        &self,
        batch: EvidenceBatch,
        keep_until: Timestamp,
    ) -> Result<AppendOutcome, StoreError> {
        let budget = self.evidence_max_bytes;
        self.disk_monitor
            .as_ref()
            .map_or(Ok(()), |site| site.ensure_reserve(batch.received_at))?;
        let shares = Arc::clone(&self.evidence_shares);
        let append_result = self
            .evidence
            .write(move |transaction| {
                let mut shares = shares.lock().unwrap_or_else(PoisonError::into_inner);
                append(transaction, &batch, keep_until, budget, &mut shares)
            })
            .await;
        if append_result.is_err() {
            // The shares may include a batch that was not written.
            self.recount_shares();
        }
        append_result
    }

    async fn batches(&self, check: CheckId) -> Result<Vec<EvidenceBatch>, StoreError> {
        self.evidence
            .read(|view| view.list(&table::evidence_of(check), usize::MAX))
    }

    async fn unjudged_checks(
        &self,
        opened_before: Timestamp,
        limit: usize,
    ) -> Result<Vec<CheckId>, StoreError> {
        self.evidence
            .read(|view| checks(view, &table::unsettled_before(opened_before), limit))
    }

    async fn mark_judged(&self, check: CheckId) -> Result<(), StoreError> {
        self.evidence
            .write(move |transaction| {
                if let Some(head) = transaction.fetch(&table::evidence_head(check))? {
                    transaction.put(
                        table::evidence_head(check),
                        &EvidenceSummary {
                            judged: true,
                            ..head
                        },
                    );
                    transaction.remove(table::unsettled(head.opened_at, check));
                }
                Ok(())
            })
            .await
    }

    async fn evict(
        &self,
        now: Timestamp,
        retention: Duration,
        limit: usize,
    ) -> Result<usize, StoreError> {
        let shares = Arc::clone(&self.evidence_shares);
        self.evidence
            .write(move |transaction| {
                let mut shares = shares.lock().unwrap_or_else(PoisonError::into_inner);
                let expired_checks =
                    evict(transaction, &table::due_before(now), limit, &mut shares)?;
                let old_checks = evict(
                    transaction,
                    &table::evidence_heads_before(now.saturating_sub(retention)),
                    limit - expired_checks,
                    &mut shares,
                )?;
                Ok(expired_checks + old_checks)
            })
            .await
    }
}

impl<E> EmbeddedStore<E> {
    /// Discards the shares, so that they are recounted when next needed.
    pub(super) fn recount_shares(&self) {
        *self
            .evidence_shares
            .lock()
            .unwrap_or_else(PoisonError::into_inner) = None;
    }
}

fn append(
    transaction: &mut WriteTransaction<'_>,
    batch: &EvidenceBatch,
    keep_until: Timestamp,
    budget: u64,
    shares: &mut Option<EvidenceShares>,
) -> Result<AppendOutcome, StoreError> {
    let check = batch.challenge.check;
    let opened_at = batch.challenge.opened_at;
    if !is_next(transaction, batch)? {
        return Ok(AppendOutcome::OutOfOrder);
    }
    let size = size(batch);
    let head = if let Some(head) = transaction.fetch(&table::evidence_head(check))? {
        EvidenceSummary {
            bytes: head.bytes.saturating_add(size),
            ..head
        }
    } else {
        let share = EvidenceShare::from_first_batch(batch);
        transaction.put(table::by_expiry(keep_until, check), &EvidenceByExpiry);
        transaction.put(table::unsettled(opened_at, check), &UnjudgedCheck);
        EvidenceSummary {
            opened_at,
            keep_until,
            bytes: size,
            judged: false,
            share,
        }
    };
    transaction.put(table::evidence(check, batch.number), batch);
    transaction.put(table::evidence_head(check), &head);
    let total = transaction
        .fetch(&table::evidence_total())?
        .unwrap_or_default()
        .0
        .saturating_add(size);
    if let Some(shares) = shares {
        shares.add(check, head.share, size);
    }
    let total = evict_to_budget(transaction, total, budget, shares)?;
    transaction.put(table::evidence_total(), &EvidenceTotal(total));
    Ok(AppendOutcome::Stored)
}

/// Returns `true` if the batch directly follows the stored ones. All batches of a check are removed together, so the
/// previous number implies all earlier ones.
fn is_next(transaction: &WriteTransaction<'_>, batch: &EvidenceBatch) -> Result<bool, StoreError> {
    let holds = |number| transaction.holds(&table::evidence(batch.challenge.check, number));
    Ok(match batch.number {
        0 => false,
        1 => !holds(1)?,
        number => holds(number - 1)? && !holds(number)?,
    })
}

/// Returns the size of a batch for the budget: its body. The rest is small and bounded by the request limits.
fn size(batch: &EvidenceBatch) -> u64 {
    batch.body.len() as u64
}

/// Evicts evidence from the largest share first until the total is within the budget.
///
/// The shares are counted when the budget is first exceeded; before that they cost nothing. They may be outdated, for
/// example after an erasure: a missing check frees nothing and is dropped from the shares.
fn evict_to_budget(
    transaction: &mut WriteTransaction<'_>,
    mut total: u64,
    budget: u64,
    shares: &mut Option<EvidenceShares>,
) -> Result<u64, StoreError> {
    if total <= budget {
        return Ok(total);
    }
    let shares = match shares {
        Some(shares) => shares,
        None => shares.insert(count_shares(transaction, budget)?),
    };
    for _ in 0..MAX_EVICTIONS_PER_APPEND {
        if total <= budget {
            break;
        }
        let Some(check) = shares.next_to_evict() else {
            *shares = count_shares(transaction, budget)?;
            if shares.next_to_evict().is_none() {
                break;
            }
            continue;
        };
        shares.remove(check);
        total = total.saturating_sub(delete_evidence(transaction, check)?);
    }
    Ok(total)
}

/// Counts the shares of all evidence from the summaries alone.
fn count_shares(view: &impl ReadRecords, budget: u64) -> Result<EvidenceShares, StoreError> {
    let mut shares = EvidenceShares::new(budget);
    view.collect(
        &KeyRange::<EvidenceSummary>::all(),
        Order::Ascending,
        usize::MAX,
        |key, head| {
            if let Some(check) = table::tail(key).map(CheckId::from_bytes) {
                shares.add(check, head.share, head.bytes);
            }
        },
    )?;
    Ok(shares)
}

/// Removes the evidence of the first `limit` checks of a range, and returns their number.
fn evict<R: Record>(
    transaction: &mut WriteTransaction<'_>,
    span: &KeyRange<R>,
    limit: usize,
    shares: &mut Option<EvidenceShares>,
) -> Result<usize, StoreError> {
    let expired_checks = checks(transaction, span, limit)?;
    let mut total = transaction
        .fetch(&table::evidence_total())?
        .unwrap_or_default()
        .0;
    for check in &expired_checks {
        total = total.saturating_sub(delete_evidence(transaction, *check)?);
        if let Some(shares) = shares {
            shares.remove(*check);
        }
    }
    if !expired_checks.is_empty() {
        transaction.put(table::evidence_total(), &EvidenceTotal(total));
    }
    Ok(expired_checks.len())
}

/// Removes all evidence of a check and subtracts it from the total.
pub(super) fn erase(
    transaction: &mut WriteTransaction<'_>,
    check: CheckId,
) -> Result<(), StoreError> {
    let bytes = delete_evidence(transaction, check)?;
    let total = transaction
        .fetch(&table::evidence_total())?
        .unwrap_or_default()
        .0;
    transaction.put(
        table::evidence_total(),
        &EvidenceTotal(total.saturating_sub(bytes)),
    );
    Ok(())
}

/// Removes all evidence of a check and returns its size in bytes.
fn delete_evidence(
    transaction: &mut WriteTransaction<'_>,
    check: CheckId,
) -> Result<u64, StoreError> {
    let Some(head) = transaction.fetch(&table::evidence_head(check))? else {
        return Ok(0);
    };
    let numbers = transaction.collect(
        &table::evidence_of(check),
        Order::Ascending,
        usize::MAX,
        |_, batch| batch.number,
    )?;
    for number in numbers {
        transaction.remove(table::evidence(check, number));
    }
    transaction.remove(table::evidence_head(check));
    transaction.remove(table::by_expiry(head.keep_until, check));
    transaction.remove(table::unsettled(head.opened_at, check));
    Ok(head.bytes)
}

/// Returns the check ids at the end of the keys, in key order.
fn checks<R: Record>(
    view: &impl ReadRecords,
    span: &KeyRange<R>,
    limit: usize,
) -> Result<Vec<CheckId>, StoreError> {
    let checks = view.collect(span, Order::Ascending, limit, |key, _| {
        table::tail(key).map(CheckId::from_bytes)
    })?;
    Ok(checks.into_iter().flatten().collect())
}
