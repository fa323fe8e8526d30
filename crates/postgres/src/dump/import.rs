//! Import of the records of a dump as rows.
//!
//! Index records of a dump are skipped, because the tables have a column or table of their own for them. Clients are
//! buffered until the end, because their rows combine several tables of the dump. The ids of contexts are kept in
//! memory, because a dump refers to contexts by numbers.

mod ledger;
mod registry;
mod verdicts;

use super::copy_buffer::CopyBuffer;
use crate::connection::Transaction;
use crate::error::Error;
use crate::sql::copy_in::CopyTarget;
use crate::sql::{admin, evidence, registry as clients};
use crate::value::{Value, decode, values};
use std::collections::HashMap;
use std::sync::Arc;
use voight_domain::vocabulary::{ClientId, ContextId};
use voight_encoding::keyspace::{ClientCount, EvidenceTotal, KeyField, SigningKeyNumber, Table, parse_key};

/// State of an import, built from the records so far.
#[derive(Default)]
pub(super) struct Importer {
    rows: CopyBuffer,
    clients: registry::ClientImporter,
    contexts: HashMap<(u64, u64), (ClientId, Arc<ContextId>)>,
    owners: HashMap<Arc<ContextId>, ClientId>,
    books: ledger::PriceBookImporter,
    client_total: u32,
    signing_key: u32,
    evidence_total: Option<u64>,
    audit_head: Option<Vec<u8>>,
}

impl Importer {
    /// Adds a record; flushes the buffered rows if they are large.
    pub(super) async fn add(&mut self, transaction: &Transaction, key: &[u8], record: &[u8]) -> Result<(), Error> {
        let (table, pieces) = parse_key(key).map_err(Error::damaged)?;
        let at = KeyFields(&pieces);
        match table {
            Table::Client | Table::ClientCounters | Table::Key | Table::Context => self.registry(table, at, record),
            Table::Meter | Table::Row | Table::Opening | Table::EndedPeriod | Table::Alert => {
                self.ledger(table, at, record)
            }
            Table::IdempotencyRecord | Table::PriceBook | Table::Invoice | Table::Adjustment | Table::Account => {
                self.of_client(table, at, record)
            }
            Table::Verdict | Table::Event | Table::PresentedInput | Table::Tombstone | Table::Label => {
                self.of_context(table, at, record)
            }
            Table::FingerprintPage | Table::Cluster => self.links(table, at, record),
            Table::Concluded | Table::EvidenceHead | Table::Evidence => self.of_check(table, at, record),
            Table::AdminToken => self.row(CopyTarget::AdminToken, values![at.bytes(0)?, record]),
            Table::Audit => self.row(CopyTarget::Audit, values![at.number(0)?, record]),
            Table::ClientCount | Table::AuditHead | Table::SigningKey | Table::EvidenceTotal => {
                self.of_store(table, record)
            }
            Table::KeyDigest
            | Table::KeyOwner
            | Table::ClientName
            | Table::ContextIndex
            | Table::Unsettled
            | Table::EvidenceDue => Ok(()),
            Table::Identity => Err(Error::damaged(format_args!("table {}", table.name()))),
        }?;
        if self.rows.should_flush() { self.rows.flush(transaction).await } else { Ok(()) }
    }

    /// Flushes all remaining rows after the last record.
    pub(super) async fn finish(&mut self, transaction: &Transaction) -> Result<(), Error> {
        self.clients.put(&mut self.rows);
        self.books.put(&mut self.rows);
        self.rows.flush(transaction).await?;
        transaction.execute_sql(clients::SET_CLIENT_TOTAL, values![self.client_total]).await?;
        transaction.execute_sql(admin::SET_SIGNING_KEY, values![self.signing_key]).await?;
        transaction.execute_sql(evidence::SET_TOTAL, values![self.evidence_total]).await?;
        if let Some(head) = self.audit_head.take() {
            transaction.execute_sql(admin::SET_AUDIT_HEAD, values![head]).await?;
        }
        Ok(())
    }

    fn of_store(&mut self, table: Table, record: &[u8]) -> Result<(), Error> {
        match table {
            Table::ClientCount => self.client_total = decode::<ClientCount>(record)?.0,
            Table::SigningKey => self.signing_key = decode::<SigningKeyNumber>(record)?.0,
            Table::EvidenceTotal => self.evidence_total = Some(decode::<EvidenceTotal>(record)?.0),
            _ => self.audit_head = Some(record.to_vec()),
        }
        Ok(())
    }

    #[expect(clippy::unnecessary_wraps, reason = "what adds a record has this form")]
    fn row(&mut self, target: CopyTarget, row: Vec<Value>) -> Result<(), Error> {
        self.rows.add(target, row);
        Ok(())
    }
}

/// Fields of a record key.
#[derive(Clone, Copy)]
struct KeyFields<'a>(&'a [KeyField<'a>]);

impl<'a> KeyFields<'a> {
    fn number(self, index: usize) -> Result<u64, Error> {
        self.0.get(index).copied().and_then(KeyField::number).ok_or_else(wrong_key)
    }

    fn bytes(self, index: usize) -> Result<&'a [u8], Error> {
        match self.0.get(index) {
            Some(KeyField::Bytes(bytes)) => Ok(bytes),
            _ => Err(wrong_key()),
        }
    }

    /// Returns the field as the value of a column.
    fn value(self, index: usize) -> Result<Value, Error> {
        match self.0.get(index) {
            Some(KeyField::Number(number)) => Ok(Value::from(*number)),
            Some(KeyField::Time(at)) => Ok(Value::from(*at)),
            Some(KeyField::Bytes(bytes)) => Ok(Value::from(*bytes)),
            None => Err(wrong_key()),
        }
    }
}

fn wrong_key() -> Error {
    Error::damaged("a key is of another kind than its table")
}
