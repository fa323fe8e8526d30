//! Verifies ledgers: no gaps, an intact hash chain, and an end that matches the meter.

use super::record::{StoredRecord, VerifyRecord, bytes, client_number, ensure_key, require};
use super::{corrupt, ensure};
use crate::Read;
use crate::read_records::ReadRecords;
use crate::table::{self, ClientNumber, RecordKey};
use voight_domain::metering::{ChainHead, IdempotencyRecord, LedgerRow, MeterState, Opening, RowKind};
use voight_domain::ports::StoreError;
use voight_domain::vocabulary::Environment;

/// State of the ledger that is being verified.
#[derive(Debug)]
pub(super) struct LedgerState {
    client_number: ClientNumber,
    environment: Environment,
    /// Number of the last row.
    seq: u64,
    /// Head after that row; `None` after a damaged row, where it is unknown.
    head: Option<ChainHead>,
}

impl LedgerState {
    /// Returns the state after a damaged or inconsistent row.
    pub(super) fn after_damage(before: Option<Self>, key: &[u8]) -> Option<Self> {
        let (client_number, environment, seq) = parse_ledger_key(key).ok()?;
        let same = before.filter(|chain| chain.client_number == client_number && chain.environment == environment);
        // The number never decreases, so that a row is not expected twice.
        let seq = same.map_or(seq, |chain| chain.seq.max(seq));
        Some(Self { client_number, environment, seq, head: None })
    }

    /// Returns `true` if `key` belongs to the same ledger.
    pub(super) fn continues_with(&self, key: &[u8]) -> bool {
        let rows = table::rows(self.client_number, self.environment);
        rows.from.as_slice() <= key && key < rows.to.as_slice()
    }

    /// Returns the key of the ledger's meter.
    pub(super) fn meter(&self) -> RecordKey<MeterState> {
        table::meter(self.client_number, self.environment)
    }

    /// Checks that the meter matches the last row.
    pub(super) fn ensure_matches_meter(&self, view: &impl Read) -> Result<(), StoreError> {
        let meter = view.fetch(&self.meter())?.ok_or_else(|| corrupt("the meter of a ledger with rows is missing"))?;
        ensure(meter.seq == self.seq, "the ledger ends before or after where its meter says")?;
        ensure(self.head.is_none_or(|head| head == meter.head), "the ledger's chain does not end in the meter's head")
    }
}

impl VerifyRecord for MeterState {
    fn verify(&self, at: &mut StoredRecord<'_, impl Read>) -> Result<(), StoreError> {
        let (client_number, environment) = (client_number(at.key)?, environment(at.key)?);
        ensure_key(at.key, &table::meter(client_number, environment))?;
        let client = at.state.client(at.view, client_number)?;
        if let Some(book) = self.price_book {
            require(at.view, &table::price_book(book))?;
        }
        let alerts = at.view.list(&table::alerts_from(client_number, environment, 0), usize::MAX)?;
        let is_kept = |kind| alerts.iter().any(|alert| alert.kind == kind);
        ensure(self.alerts.iter().all(is_kept), "an alert that it has raised is missing")?;
        if self.seq == 0 {
            return ensure(self.head == ChainHead::genesis(client, environment), "it has no rows and yet a head");
        }
        require(at.view, &table::row(client_number, environment, self.seq)).map(drop)
    }
}

impl VerifyRecord for LedgerRow {
    fn verify(&self, at: &mut StoredRecord<'_, impl Read>) -> Result<(), StoreError> {
        let (client_number, environment, seq) = parse_ledger_key(at.key)?;
        ensure_key(at.key, &table::row(client_number, environment, self.seq))?;
        let (last, head) = match &at.state.chain {
            Some(chain) => (chain.seq, chain.head),
            None => (0, Some(ChainHead::genesis(at.state.client(at.view, client_number)?, environment))),
        };
        ensure(last.checked_add(1) == Some(seq), "one or more rows before it are missing")?;
        if let RowKind::Lookup(lookup) = &self.kind {
            let counts = require(at.view, &table::counts(client_number))?;
            let known = lookup.context <= counts.contexts && lookup.key <= counts.keys;
            ensure(known, "it names a context or a key that was never there")?;
        }
        at.state.chain =
            Some(LedgerState { client_number, environment, seq, head: head.map(|head| head.extend(at.bytes)) });
        Ok(())
    }
}

impl VerifyRecord for Opening {
    fn verify(&self, at: &mut StoredRecord<'_, impl Read>) -> Result<(), StoreError> {
        let (client_number, environment, seq) = parse_ledger_key(at.key)?;
        ensure_key(at.key, &table::opening(client_number, environment, seq))?;
        let row = require(at.view, &table::row(client_number, environment, seq))?;
        ensure(matches!(row.kind, RowKind::Lookup(_)), "the row it belongs to is no lookup")
    }
}

impl VerifyRecord for IdempotencyRecord {
    fn verify(&self, at: &mut StoredRecord<'_, impl Read>) -> Result<(), StoreError> {
        let (run, ..) = table::decode_idempotency_key(at.key).ok_or_else(|| corrupt("its key has a wrong length"))?;
        ensure(run.accepts(self.expires_at), "its expiry is not that of its segment")
    }
}

pub(super) fn parse_ledger_key(key: &[u8]) -> Result<(ClientNumber, Environment, u64), StoreError> {
    Ok((client_number(key)?, environment(key)?, u64::from_be_bytes(bytes(key, 6)?)))
}

fn environment(key: &[u8]) -> Result<Environment, StoreError> {
    match bytes(key, 5)? {
        [0] => Ok(Environment::Live),
        [1] => Ok(Environment::Sandbox),
        _ => Err(corrupt("its key names no environment")),
    }
}
