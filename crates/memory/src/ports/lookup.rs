//! Lookup path.

use crate::MemoryStore;
use crate::state::State;
use async_trait::async_trait;
use voight_domain::metering::{
    AddressFacts, BatchLookupRequest, CallerFacts, IdempotencyInput, LedgerId, LookupOutcome,
    LookupRequest, LookupWrite, RecordedBatch, RowKind, answer_batch, answer_lookup,
};
use voight_domain::ports::{LedgerEntry, LookupStore, StoreError};
use voight_domain::registry::KeyWithClient;
use voight_domain::secrets::AddressDigest;
use voight_domain::vocabulary::{ContextId, EoaAddress, Timestamp};

#[async_trait]
impl LookupStore for MemoryStore {
    async fn answer(&self, request: LookupRequest) -> Result<LookupOutcome, StoreError> {
        let mut state = self.state()?;
        let key = state.key_by_digest(request.key);
        let ledger = key.as_ref().map(KeyWithClient::ledger);
        let caller = state.caller_facts(key.as_ref(), &request.context, request.idempotency);
        let address =
            state.address_facts(&request.context, request.address, request.address_digest());
        let now = self.clock.now();
        let step = answer_lookup(&request, caller, address, now);
        if let Some((ledger, write)) = ledger.zip(step.write) {
            state.record(ledger, &request.context, write, now);
        }
        Ok(step.outcome)
    }

    async fn answer_batch(
        &self,
        request: BatchLookupRequest,
    ) -> Result<LookupOutcome<RecordedBatch>, StoreError> {
        let mut state = self.state()?;
        let key = state.key_by_digest(request.key);
        let ledger = key.as_ref().map(KeyWithClient::ledger);
        let caller = state.caller_facts(key.as_ref(), &request.context, request.idempotency);
        let addresses = request.addresses.as_slice().iter();
        let addresses: Vec<_> = addresses
            .map(|address| {
                state.address_facts(&request.context, *address, request.address_digest(address))
            })
            .collect();
        let now = self.clock.now();
        let step = answer_batch(&request, caller, &addresses, now);
        if let Some(ledger) = ledger {
            step.writes
                .into_iter()
                .for_each(|write| state.record(ledger, &request.context, write, now));
        }
        Ok(step.outcome)
    }
}

impl State {
    pub(crate) fn caller_facts<'a>(
        &'a self,
        caller_key: Option<&'a KeyWithClient>,
        context: &ContextId,
        idempotency: Option<IdempotencyInput>,
    ) -> CallerFacts<'a> {
        let key = caller_key
            .zip(idempotency)
            .map(|(caller_key, input)| (caller_key.client.id, input.key_digest));
        CallerFacts {
            key: caller_key,
            context: self.contexts.get(context),
            meter: caller_key.and_then(|caller_key| self.meters.get(&caller_key.ledger())),
            idempotency_record: key.and_then(|key| self.idempotency_records.get(&key)),
        }
    }

    pub(crate) fn address_facts(
        &self,
        context: &ContextId,
        address: EoaAddress,
        digest: AddressDigest,
    ) -> AddressFacts<'_> {
        AddressFacts {
            verdict: self.verdicts.get(&(context.clone(), address)),
            tombstone: self.tombstones.get(&(context.clone(), digest)),
        }
    }

    pub(crate) fn record(
        &mut self,
        ledger: LedgerId,
        context: &ContextId,
        write: LookupWrite,
        now: Timestamp,
    ) {
        let events: Vec<_> = write.events(ledger.environment).collect();
        self.append_client_events(ledger.client, events, now);
        let subject = (context.clone(), write.opening.address);
        self.verdicts
            .extend(write.verdict.map(|verdict| (subject, verdict)));
        let rows = self.ledgers.entry(ledger).or_default();
        for row in write.rows {
            let opening = matches!(row.kind, RowKind::Lookup(_)).then_some(write.opening);
            rows.insert(row.seq, LedgerEntry { row, opening });
        }
        self.ended
            .entry(ledger)
            .or_default()
            .extend(write.ended.map(|period| (period.last_seq, period)));
        self.alerts.entry(ledger).or_default().extend(write.alerts);
        self.books.extend(write.book);
        self.meters.insert(ledger, write.meter);
        self.idempotency_records.extend(
            write
                .idempotency_record
                .map(|(key, record)| ((ledger.client, key), record)),
        );
    }
}
