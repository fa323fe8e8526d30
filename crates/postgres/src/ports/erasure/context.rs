//! Erasure of the records of an address in one context.

use super::links;
use crate::common;
use crate::connection::Transaction;
use crate::error::Error;
use crate::sql::tables::ERASE_ADDRESS;
use crate::sql::{check, erasure};
use crate::value::values;
use voight_domain::ports::{EraseMode, ErasureCounts, ErasureScope};
use voight_domain::verdict::{Tombstone, Verdict};
use voight_domain::vocabulary::{ContextId, EoaAddress};
use voight_encoding::Encode;

/// Numbers of records that were, or in a dry run would be, erased in one context.
#[derive(Debug, Default)]
pub(super) struct ErasedInContext {
    verdicts: u64,
    events: u64,
    labels: u64,
    idempotency_records: u64,
    links: u64,
    tombstone: bool,
}

impl ErasedInContext {
    /// Adds the numbers of this context to the totals.
    pub(super) fn add_to(self, erased: &mut ErasureCounts, context: &ContextId) {
        erased.verdicts += self.verdicts;
        erased.events += self.events;
        erased.labels += self.labels;
        erased.idempotency_records += self.idempotency_records;
        erased.links += self.links;
        if self.tombstone {
            erased.tombstones.push(context.clone());
        }
    }
}

/// Erases the records in one transaction that also writes the tombstone, or counts them for a dry run.
pub(super) async fn erase(
    transaction: &Transaction,
    address: EoaAddress,
    scope: &ErasureScope,
    mode: EraseMode,
) -> Result<ErasedInContext, Error> {
    let Some((client, context)) = common::lock_context(transaction, &scope.context).await? else {
        return Ok(ErasedInContext::default());
    };
    let of = values![client, &scope.context, address];
    let verdict: Option<Verdict> = transaction.fetch(check::VERDICT, of.clone()).await?;
    let before = transaction
        .fetch(
            check::TOMBSTONE,
            values![client, &scope.context, scope.digest],
        )
        .await?;
    let left = Tombstone::for_erased(&context, verdict.as_ref(), before.as_ref());
    let found = ErasedInContext {
        verdicts: verdict.is_some().into(),
        events: transaction.count(erasure::COUNT_EVENTS, of.clone()).await?,
        labels: transaction.count(erasure::COUNT_LABELS, of.clone()).await?,
        idempotency_records: transaction
            .count(
                erasure::COUNT_IDEMPOTENCY_RECORDS,
                values![client, scope.request_fingerprint, transaction.now()],
            )
            .await?,
        links: links::erase(transaction, client, scope, mode).await?,
        tombstone: left.is_some(),
    };
    if mode == EraseMode::DryRun {
        return Ok(found);
    }
    for sql in ERASE_ADDRESS.iter().flatten() {
        transaction.enqueue_write(sql, of.clone());
    }
    transaction.enqueue_write(
        erasure::DELETE_IDEMPOTENCY_RECORDS,
        values![client, scope.request_fingerprint],
    );
    if let Some(left) = left {
        transaction.enqueue_write(
            check::SET_TOMBSTONE,
            values![client, &scope.context, scope.digest, left.encode()],
        );
    }
    Ok(found)
}
