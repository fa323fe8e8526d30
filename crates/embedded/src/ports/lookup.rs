//! Lookup path.

use crate::EmbeddedStore;
use crate::common;
use crate::idempotency::IdempotencyTable;
use crate::lookup_cache::{
    CachedContext, CachedKey, LookupCache, load_context_of_client, load_key, load_key_by_id,
};
use crate::read_records::ReadRecords;
use crate::table::{self, ClientNumber, Segment};
use crate::write_transaction::WriteTransaction;
use async_trait::async_trait;
use std::sync::Arc;
use voight_domain::metering::{
    AddressFacts, BatchLookupRequest, CallerFacts, IdempotencyInput, IdempotencyRecord,
    LookupOutcome, LookupRequest, LookupWrite, MeterState, RecordedBatch, RecordedResponse,
    answer_batch, answer_lookup,
};
use voight_domain::ports::{LookupStore, StoreError};
use voight_domain::secrets::{AddressDigest, KeyDigest};
use voight_domain::verdict::{Tombstone, Verdict};
use voight_domain::vocabulary::{ContextId, Environment, EoaAddress, KeyId, Timestamp};
use voight_engine::Engine;
use voight_engine::store::{LookupIdempotency, RecordedLookup};

#[async_trait]
impl<E: Engine> LookupStore for EmbeddedStore<E> {
    async fn answer(&self, request: LookupRequest) -> Result<LookupOutcome, StoreError> {
        let tables = self.lookup_tables();
        let clock = Arc::clone(&self.clock);
        self.main
            .write(move |transaction| tables.answer(transaction, &request, clock.now()))
            .await
    }

    async fn answer_batch(
        &self,
        request: BatchLookupRequest,
    ) -> Result<LookupOutcome<RecordedBatch>, StoreError> {
        let tables = self.lookup_tables();
        let clock = Arc::clone(&self.clock);
        self.main
            .write(move |transaction| tables.answer_batch(transaction, &request, clock.now()))
            .await
    }
}

impl<E: Engine> EmbeddedStore<E> {
    pub(super) fn lookup_tables(&self) -> LookupTables {
        LookupTables {
            cache: Arc::clone(&self.lookup_cache),
            idempotency: Arc::clone(&self.idempotency),
        }
    }
}

/// Cached tables of the lookup path.
pub(super) struct LookupTables {
    cache: Arc<LookupCache>,
    idempotency: Arc<IdempotencyTable>,
}

impl LookupTables {
    fn answer(
        &self,
        transaction: &mut WriteTransaction<'_>,
        request: &LookupRequest,
        now: Timestamp,
    ) -> Result<LookupOutcome, StoreError> {
        let caller = self.read_caller(
            transaction,
            request.key,
            &request.context,
            request.idempotency.as_ref(),
        )?;
        let context = caller.context.as_deref();
        let address = AddressRecords::read(transaction, context, request.address, || {
            request.address_digest()
        })?;
        let step = answer_lookup(request, caller.facts(), address.facts(), now);
        self.write(transaction, &caller, step.write.as_slice(), now)?;
        Ok(step.outcome)
    }

    fn answer_batch(
        &self,
        transaction: &mut WriteTransaction<'_>,
        request: &BatchLookupRequest,
        now: Timestamp,
    ) -> Result<LookupOutcome<RecordedBatch>, StoreError> {
        let caller = self.read_caller(
            transaction,
            request.key,
            &request.context,
            request.idempotency.as_ref(),
        )?;
        let context = caller.context.as_deref();
        let addresses = request.addresses.as_slice().iter();
        let addresses: Vec<_> = addresses
            .map(|address| {
                AddressRecords::read(transaction, context, *address, || {
                    request.address_digest(address)
                })
            })
            .collect::<Result<_, _>>()?;
        let addresses: Vec<_> = addresses.iter().map(AddressRecords::facts).collect();
        let step = answer_batch(request, caller.facts(), &addresses, now);
        self.write(transaction, &caller, &step.writes, now)?;
        Ok(step.outcome)
    }

    fn read_caller(
        &self,
        transaction: &WriteTransaction<'_>,
        key: KeyDigest,
        context: &ContextId,
        idempotency: Option<&IdempotencyInput>,
    ) -> Result<CallerRecords, StoreError> {
        let key = self
            .cache
            .keys
            .get_in_transaction(transaction, &key, || load_key(transaction, key))?;
        self.read_caller_with(transaction, key, context, idempotency)
    }

    /// Reads the records of a caller whose API key has this id.
    pub(super) fn read_caller_by_id(
        &self,
        transaction: &WriteTransaction<'_>,
        client_number: ClientNumber,
        key: KeyId,
        context: &ContextId,
    ) -> Result<CallerRecords, StoreError> {
        let key = load_key_by_id(transaction, client_number, key)?.map(Arc::new);
        self.read_caller_with(transaction, key, context, None)
    }

    fn read_caller_with(
        &self,
        transaction: &WriteTransaction<'_>,
        key: Option<Arc<CachedKey>>,
        context: &ContextId,
        idempotency: Option<&IdempotencyInput>,
    ) -> Result<CallerRecords, StoreError> {
        let Some(caller_key) = key.as_deref() else {
            return Ok(CallerRecords::default());
        };
        let client_number = caller_key.client_number;
        // A context of another client is looked up and answered exactly like a missing one, even if it is cached.
        let context = self.cache.contexts.get_in_transaction_if(
            transaction,
            context,
            |cached_context| cached_context.context_key.client_number == client_number,
            || load_context_of_client(transaction, client_number, context),
        )?;
        let environment = caller_key.key.key.environment;
        let meter =
            match transaction.recorded_meter(table::ledger_prefix(client_number, environment)) {
                Some(meter) => Some(*meter),
                None => common::meter(transaction, client_number, environment)?,
            };
        let idempotency_record = match idempotency {
            Some(input) => self
                .idempotency
                .locate(transaction, client_number, input.key_digest)?,
            None => None,
        };
        Ok(CallerRecords {
            key,
            context,
            meter,
            idempotency_record,
        })
    }

    /// Writes consecutive lookups of one ledger. The last ones that change nothing but one row each are recorded as typed
    /// entries, the others as records.
    pub(super) fn write(
        &self,
        transaction: &mut WriteTransaction<'_>,
        caller: &CallerRecords,
        writes: &[LookupWrite],
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let Some(key) = caller.key.as_deref() else {
            return Ok(());
        };
        let client_number = key.client_number;
        let environment = key.key.key.environment;
        let ledger = table::ledger_prefix(client_number, environment);
        let first_recorded = writes
            .iter()
            .rposition(|write| write.only_row().is_none())
            .map_or(0, |last| last + 1);
        for (index, write) in writes.iter().enumerate() {
            let row = write.only_row().filter(|_| index >= first_recorded);
            let mut idempotency_part = None;
            if let Some((digest, record)) = &write.idempotency_record {
                let older = caller
                    .idempotency_record
                    .as_ref()
                    .map(|(segment, _)| *segment);
                let segment = self.idempotency.reserve(
                    transaction,
                    client_number,
                    *digest,
                    older,
                    record.expires_at,
                    now,
                )?;
                idempotency_part = row.and_then(|_| entry_part(record, segment));
                if idempotency_part.is_none() {
                    transaction.put(
                        table::idempotency_record(segment, client_number, *digest),
                        record,
                    );
                }
            }
            if let (Some(verdict), Some(context)) = (&write.verdict, caller.context.as_deref()) {
                transaction.put(
                    table::verdict(context.context_key, &write.opening.address),
                    verdict,
                );
            }
            match row {
                Some(row) => {
                    let lookup = RecordedLookup {
                        row: *row,
                        opening: write.opening,
                        idempotency: idempotency_part,
                    };
                    transaction.record(ledger, lookup, write.meter);
                }
                None => write_records(transaction, write, client_number, environment, now)?,
            }
        }
        Ok(())
    }
}

/// Stored records of a caller; empty if its API key does not exist.
#[derive(Default)]
pub(super) struct CallerRecords {
    key: Option<Arc<CachedKey>>,
    pub(super) context: Option<Arc<CachedContext>>,
    meter: Option<MeterState>,
    /// Stored record of the request's idempotency key, with its segment.
    idempotency_record: Option<(Segment, IdempotencyRecord)>,
}

impl CallerRecords {
    pub(super) fn facts(&self) -> CallerFacts<'_> {
        CallerFacts {
            key: self.key.as_deref().map(|cached_key| &cached_key.key),
            context: self.context.as_deref().map(|context| &context.context),
            meter: self.meter.as_ref(),
            idempotency_record: self.idempotency_record.as_ref().map(|(_, record)| record),
        }
    }
}

/// Stored records of an address in a context.
#[derive(Default)]
pub(super) struct AddressRecords {
    verdict: Option<Verdict>,
    tombstone: Option<Tombstone>,
}

impl AddressRecords {
    pub(super) fn read(
        transaction: &WriteTransaction<'_>,
        context: Option<&CachedContext>,
        address: EoaAddress,
        digest: impl FnOnce() -> AddressDigest,
    ) -> Result<Self, StoreError> {
        let Some(&CachedContext {
            context_key,
            has_tombstones,
            ..
        }) = context
        else {
            return Ok(Self::default());
        };
        let verdict = transaction.fetch(&table::verdict(context_key, &address))?;
        let tombstone =
            has_tombstones.then(|| transaction.fetch(&table::tombstone(context_key, digest())));
        Ok(Self {
            verdict,
            tombstone: tombstone.transpose()?.flatten(),
        })
    }

    pub(super) fn facts(&self) -> AddressFacts<'_> {
        AddressFacts {
            verdict: self.verdict.as_ref(),
            tombstone: self.tombstone.as_ref(),
        }
    }
}

/// Returns the part of an idempotency record that an entry of a lookup holds; `None` for a response that is no lookup.
fn entry_part(record: &IdempotencyRecord, segment: Segment) -> Option<LookupIdempotency> {
    match &record.answer {
        RecordedResponse::Lookup(answer) => Some(LookupIdempotency {
            segment,
            parameters: record.parameters,
            expires_at: record.expires_at,
            detail: answer.detail,
        }),
        RecordedResponse::Context(_)
        | RecordedResponse::Redeemed(_)
        | RecordedResponse::Batch(_) => None,
    }
}

/// Writes the records of a lookup, except for its idempotency record.
fn write_records(
    transaction: &mut WriteTransaction<'_>,
    write: &LookupWrite,
    client_number: ClientNumber,
    environment: Environment,
    now: Timestamp,
) -> Result<(), StoreError> {
    for row in &write.rows {
        transaction.put(table::row(client_number, environment, row.seq), row);
    }
    if let Some(ended_period) = &write.ended {
        transaction.put(
            table::ended_period(client_number, environment, ended_period.last_seq),
            ended_period,
        );
    }
    if let Some(book) = &write.book {
        transaction.put(table::price_book(book.digest()), book.as_ref());
    }
    for alert in &write.alerts {
        transaction.put(
            table::alert(client_number, environment, alert.seq, alert.kind),
            alert,
        );
    }
    for event in write.events(environment) {
        common::append_client_event(transaction, client_number, Some(event), now)?;
    }
    transaction.put(table::meter(client_number, environment), &write.meter);
    transaction.put(
        table::opening(client_number, environment, write.meter.seq),
        &write.opening,
    );
    Ok(())
}
