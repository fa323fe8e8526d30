//! Lookup path.

use crate::MemoryStore;
use crate::state::State;
use async_trait::async_trait;
use voight_domain::metering::{
    LedgerId, LookupFacts, LookupOutcome, LookupRequest, LookupWrite, RowKind, answer_lookup,
};
use voight_domain::ports::{LedgerEntry, LookupStore, StoreError};

#[async_trait]
impl LookupStore for MemoryStore {
    async fn answer(&self, request: LookupRequest) -> Result<LookupOutcome, StoreError> {
        let mut state = self.state()?;
        let holder = state.key_by_digest(request.key);
        let ledger =
            holder.as_ref().map(|holder| LedgerId { client: holder.client.id, environment: holder.key.environment });
        let key = holder.as_ref().zip(request.idempotency).map(|(holder, input)| (holder.client.id, input.key_digest));
        let facts = LookupFacts {
            key: holder.as_ref(),
            context: state.contexts.get(&request.context),
            verdict: state.verdicts.get(&(request.context.clone(), request.address)),
            tombstone: state.tombstones.get(&(request.context.clone(), request.address_digest())),
            meter: ledger.and_then(|ledger| state.meters.get(&ledger)),
            idempotency_record: key.and_then(|key| state.idempotency_records.get(&key)),
        };
        let step = answer_lookup(&request, facts, self.clock.now());
        if let Some((ledger, write)) = ledger.zip(step.write) {
            state.record(ledger, write);
        }
        Ok(step.outcome)
    }
}

impl State {
    fn record(&mut self, ledger: LedgerId, write: LookupWrite) {
        let rows = self.ledgers.entry(ledger).or_default();
        for row in write.rows {
            let opening = matches!(row.kind, RowKind::Lookup(_)).then_some(write.opening);
            rows.insert(row.seq, LedgerEntry { row, opening });
        }
        self.ended.entry(ledger).or_default().extend(write.ended.map(|period| (period.last_seq, period)));
        self.alerts.entry(ledger).or_default().extend(write.alerts);
        self.books.extend(write.book);
        self.meters.insert(ledger, write.meter);
        self.idempotency_records.extend(write.idempotency_record.map(|(key, record)| ((ledger.client, key), record)));
    }
}
