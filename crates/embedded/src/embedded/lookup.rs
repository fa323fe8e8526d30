//! Lookup path.

use super::idempotency::IdempotencyTable;
use super::lookup_cache::{CachedContext, CachedKey, LookupCache, load_context, load_key};
use super::{EmbeddedStore, common};
use crate::Engine;
use crate::read_records::ReadRecords;
use crate::recorded_lookups::{LookupIdempotency, RecordedLookup};
use crate::table::{self, ClientNumber, Segment};
use crate::write_transaction::WriteTransaction;
use async_trait::async_trait;
use std::sync::Arc;
use voight_domain::metering::{
    IdempotencyRecord, LedgerRow, LookupFacts, LookupOutcome, LookupRequest, LookupWrite, MeterState, RecordedResponse,
    answer_lookup,
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
        let (client_number, environment) = (held.client_number, held.key.key.environment);
        let record = write.idempotency_record.as_ref();
        let segment = record
            .map(|(digest, record)| idempotency.reserve(transaction, client_number, *digest, record.expires_at, now));
        let segment = segment.transpose()?;
        match write.only_row() {
            Some(row) => {
                let lookup = recorded_lookup(*row, &write, segment);
                transaction.record(table::ledger(client_number, environment), lookup, write.meter);
            }
            None => write_records(transaction, &write, client_number, environment, segment),
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
        let environment = held.key.key.environment;
        let meter = match transaction.recorded_meter(table::ledger(client_number, environment)) {
            Some(meter) => Some(*meter),
            None => common::meter(transaction, client_number, environment)?,
        };
        let idempotency_record = match &request.idempotency {
            Some(input) => idempotency.find(transaction, client_number, input.key_digest)?,
            None => None,
        };
        Ok(Self { context: asked, verdict, tombstone, meter, idempotency_record })
    }
}

/// Returns the entry of a lookup whose only change to its ledger is `row`.
fn recorded_lookup(row: LedgerRow, write: &LookupWrite, segment: Option<Segment>) -> RecordedLookup {
    let idempotency = write.idempotency_record.as_ref().zip(segment).map(|((_, record), segment)| LookupIdempotency {
        segment,
        parameters: record.parameters,
        expires_at: record.expires_at,
        detail: match &record.answer {
            RecordedResponse::Lookup(answered) => answered.detail,
            RecordedResponse::Context(_) | RecordedResponse::Redeemed(_) => None,
        },
    });
    RecordedLookup { row, opening: write.opening, idempotency }
}

/// Writes the records of a lookup that changes more than one row: it ends or begins a period, or raises an alert.
fn write_records(
    transaction: &mut WriteTransaction<'_>,
    write: &LookupWrite,
    client_number: ClientNumber,
    environment: Environment,
    segment: Option<Segment>,
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
    if let (Some((digest, record)), Some(segment)) = (&write.idempotency_record, segment) {
        transaction.put(table::idempotency_record(segment, client_number, *digest), record);
    }
}
