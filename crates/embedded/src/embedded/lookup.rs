//! Lookup path.

use super::idempotency::IdempotencyTable;
use super::lookup_cache::{CachedContext, CachedKey, LookupCache, load_context, load_key};
use super::{EmbeddedStore, common};
use crate::Engine;
use crate::read_records::ReadRecords;
use crate::table::{self, ClientNumber};
use crate::write_transaction::WriteTransaction;
use async_trait::async_trait;
use std::sync::Arc;
use voight_domain::metering::{
    IdempotencyRecord, LookupFacts, LookupOutcome, LookupRequest, LookupWrite, MeterState, answer_lookup,
};
use voight_domain::ports::{LookupStore, StoreError};
use voight_domain::verdict::{Tombstone, Verdict};
use voight_domain::vocabulary::{Environment, Timestamp};

#[async_trait]
impl<E: Engine> LookupStore for EmbeddedStore<E> {
    async fn answer(&self, request: LookupRequest) -> Result<LookupOutcome, StoreError> {
        let (lookup_cache, idempotency, clock) =
            (Arc::clone(&self.lookup_cache), Arc::clone(&self.idempotency), Arc::clone(&self.clock));
        self.main
            .write(move |transaction| answer(transaction, &request, &lookup_cache, &idempotency, clock.now()))
            .await
    }
}

fn answer(
    transaction: &mut WriteTransaction<'_>,
    request: &LookupRequest,
    lookup_cache: &LookupCache,
    idempotency: &IdempotencyTable,
    now: Timestamp,
) -> Result<LookupOutcome, StoreError> {
    let held =
        lookup_cache.keys.get_in_transaction(transaction, &request.key, || load_key(transaction, request.key))?;
    let found = held
        .as_deref()
        .map(|held| LookupInputs::read(transaction, request, held, lookup_cache, idempotency))
        .transpose()?
        .unwrap_or_default();
    let facts = LookupFacts {
        key: held.as_deref().map(|held| &held.key),
        context: found.context.as_deref().map(|asked| &asked.context),
        verdict: found.verdict.as_ref(),
        tombstone: found.tombstone.as_ref(),
        meter: found.meter.as_ref(),
        idempotency_record: found.idempotency_record.as_ref(),
    };
    let decided = answer_lookup(request, facts, now);
    if let (Some(write), Some(held)) = (decided.write, held) {
        write_lookup(transaction, &write, held.client_number, held.key.key.environment);
        if let Some((digest, record)) = &write.idempotency_record {
            idempotency.put(transaction, held.client_number, *digest, record, now)?;
        }
    }
    Ok(decided.outcome)
}

/// Stored facts of a lookup whose API key exists.
#[derive(Default)]
struct LookupInputs {
    context: Option<Arc<CachedContext>>,
    verdict: Option<Verdict>,
    tombstone: Option<Tombstone>,
    meter: Option<MeterState>,
    idempotency_record: Option<IdempotencyRecord>,
}

impl LookupInputs {
    fn read(
        transaction: &WriteTransaction<'_>,
        request: &LookupRequest,
        held: &CachedKey,
        lookup_cache: &LookupCache,
        idempotency: &IdempotencyTable,
    ) -> Result<Self, StoreError> {
        let client_number = held.client_number;
        let asked = lookup_cache
            .contexts
            .get_in_transaction(transaction, &request.context, || load_context(transaction, &request.context))?;
        // A context of another client is answered exactly like a missing one.
        let asked = asked.filter(|asked| asked.context_key.client_number == client_number);
        let (verdict, tombstone) = match asked.as_deref() {
            Some(&CachedContext { context_key, has_tombstones, .. }) => {
                let verdict = transaction.fetch(&table::verdict(context_key, &request.address))?;
                let tombstone =
                    has_tombstones.then(|| transaction.fetch(&table::tombstone(context_key, request.address_digest())));
                (verdict, tombstone.transpose()?.flatten())
            }
            None => (None, None),
        };
        let meter = common::meter(transaction, client_number, held.key.key.environment)?;
        let idempotency_record = match &request.idempotency {
            Some(input) => idempotency.find(transaction, client_number, input.key_digest)?,
            None => None,
        };
        Ok(Self { context: asked, verdict, tombstone, meter, idempotency_record })
    }
}

fn write_lookup(
    transaction: &mut WriteTransaction<'_>,
    write: &LookupWrite,
    client_number: ClientNumber,
    environment: Environment,
) {
    for row in &write.rows {
        transaction.put(table::row(client_number, environment, row.seq), row);
    }
    if let Some(ended) = &write.ended {
        transaction.put(table::ended_period(client_number, environment, ended.last_seq), ended);
    }
    if let Some(book) = &write.book {
        transaction.put(table::price_book(book.digest()), book.as_ref());
    }
    for alert in &write.alerts {
        transaction.put(table::alert(client_number, environment, alert.seq, alert.kind), alert);
    }
    transaction.put(table::meter(client_number, environment), &write.meter);
    transaction.put(table::opening(client_number, environment, write.meter.seq), &write.opening);
}
