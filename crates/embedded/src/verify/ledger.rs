//! Verifies ledgers: no gaps, an intact hash chain, and an end that matches the meter.

use super::key::{client_number, environment, parse_ledger_key};
use super::record::{StoredRecord, VerifyRecord, ensure_key, require};
use super::state::LedgerState;
use super::{corrupt, ensure};
use crate::read_records::ReadRecords;
use crate::table;
use voight_domain::metering::{
    ChainHead, IdempotencyRecord, LedgerId, LedgerRow, MeterState, Opening, RowKind,
};
use voight_domain::ports::StoreError;
use voight_engine::Read;

impl VerifyRecord for MeterState {
    fn verify(&self, record: &mut StoredRecord<'_, impl Read>) -> Result<(), StoreError> {
        let client_number = client_number(record.key)?;
        let environment = environment(record.key)?;
        ensure_key(record.key, &table::meter(client_number, environment))?;
        let client = record.state.client(record.view, client_number)?;
        if let Some(book) = self.price_book {
            require(record.view, &table::price_book(book))?;
        }
        let alerts = record.view.list(
            &table::alerts_from(client_number, environment, 0),
            usize::MAX,
        )?;
        let has_alert = |kind| alerts.iter().any(|alert| alert.kind == kind);
        ensure(
            self.alerts.iter().all(has_alert),
            "an alert that it has raised is missing",
        )?;
        if self.seq == 0 {
            let genesis = ChainHead::genesis(LedgerId {
                client,
                environment,
            });
            return ensure(self.head == genesis, "it has no rows and yet a head");
        }
        require(
            record.view,
            &table::row(client_number, environment, self.seq),
        )
        .map(drop)
    }
}

impl VerifyRecord for LedgerRow {
    fn verify(&self, record: &mut StoredRecord<'_, impl Read>) -> Result<(), StoreError> {
        let (client_number, environment, seq) = parse_ledger_key(record.key)?;
        ensure_key(
            record.key,
            &table::row(client_number, environment, self.seq),
        )?;
        let (last, head) = if let Some(chain) = &record.state.chain {
            (chain.seq, chain.head)
        } else if environment.is_test() && seq > 1 {
            // The rows before it have expired, and with them the head that it follows.
            (seq - 1, None)
        } else {
            let client = record.state.client(record.view, client_number)?;
            (
                0,
                Some(ChainHead::genesis(LedgerId {
                    client,
                    environment,
                })),
            )
        };
        ensure(
            last.checked_add(1) == Some(seq),
            "one or more rows before it are missing",
        )?;
        if let RowKind::Lookup(lookup) = &self.kind {
            let counts = require(record.view, &table::counts(client_number))?;
            let is_assigned = lookup.context <= counts.contexts && lookup.key <= counts.keys;
            ensure(
                is_assigned,
                "it names a context or a key that was never there",
            )?;
        }
        record.state.chain = Some(LedgerState {
            client_number,
            environment,
            seq,
            head: head.map(|head| head.extend(record.bytes)),
        });
        Ok(())
    }
}

impl VerifyRecord for Opening {
    fn verify(&self, record: &mut StoredRecord<'_, impl Read>) -> Result<(), StoreError> {
        let (client_number, environment, seq) = parse_ledger_key(record.key)?;
        ensure_key(record.key, &table::opening(client_number, environment, seq))?;
        let row = require(record.view, &table::row(client_number, environment, seq))?;
        ensure(
            matches!(row.kind, RowKind::Lookup(_)),
            "the row it belongs to is not a lookup",
        )
    }
}

impl VerifyRecord for IdempotencyRecord {
    fn verify(&self, record: &mut StoredRecord<'_, impl Read>) -> Result<(), StoreError> {
        let (segment, ..) = table::parse_idempotency_key(record.key)
            .ok_or_else(|| corrupt("its key has a wrong length"))?;
        ensure(
            segment.accepts(self.expires_at),
            "its expiry is not that of its segment",
        )
    }
}
