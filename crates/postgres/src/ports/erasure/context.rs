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
    pub(super) fn add_to(self, counts: &mut ErasureCounts, context: &ContextId) {
        counts.verdicts += self.verdicts;
        counts.events += self.events;
        counts.labels += self.labels;
        counts.idempotency_records += self.idempotency_records;
        counts.links += self.links;
        if self.tombstone {
            counts.tombstones.push(context.clone());
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
    let address_key = values![client, &scope.context, address];
    let verdict: Option<Verdict> = transaction
        .fetch(check::VERDICT, address_key.clone())
        .await?;
    let previous_tombstone = transaction
        .fetch(
            check::TOMBSTONE,
            values![client, &scope.context, scope.digest],
        )
        .await?;
    let tombstone = Tombstone::for_erased(&context, verdict.as_ref(), previous_tombstone.as_ref());
    let counts = ErasedInContext {
        verdicts: verdict.is_some().into(),
        events: transaction
            .count(erasure::COUNT_EVENTS, address_key.clone())
            .await?,
        labels: transaction
            .count(erasure::COUNT_LABELS, address_key.clone())
            .await?,
        idempotency_records: transaction
            .count(
                erasure::COUNT_IDEMPOTENCY_RECORDS,
                values![client, scope.request_fingerprint, transaction.now()],
            )
            .await?,
        links: links::erase(transaction, client, scope, mode).await?,
        tombstone: tombstone.is_some(),
    };
    if mode == EraseMode::DryRun {
        return Ok(counts);
    }
    for sql in ERASE_ADDRESS.iter().flatten() {
        transaction.enqueue_write(sql, address_key.clone());
    }
    transaction.enqueue_write(
        erasure::DELETE_IDEMPOTENCY_RECORDS,
        values![client, scope.request_fingerprint],
    );
    if let Some(tombstone) = tombstone {
        transaction.enqueue_write(
            check::SET_TOMBSTONE,
            values![client, &scope.context, scope.digest, tombstone.encode()],
        );
    }
    Ok(counts)
}
