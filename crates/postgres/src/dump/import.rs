//! Import of the records of a dump as rows.
//!
//! The registry of tables says which columns hold the key and the record of a keyed table; the other tables are converted here.
//! Index records of a dump are skipped, because the tables have a column or table of their own for them. Clients are
//! buffered until the end, because their rows combine several tables of the dump. The ids of contexts are kept in
//! memory, because a dump refers to contexts by numbers.

mod ledger;
mod registry;
mod verdicts;

use super::copy_buffer::CopyBuffer;
use crate::connection::Transaction;
use crate::error::Error;
use crate::sql::tables::{ConvertedTable, KeyedTable, Placement, Scope};
use crate::sql::{admin, evidence, registry as clients};
use crate::value::{Value, decode, values};
use std::collections::HashMap;
use std::sync::Arc;
use voight_domain::metering::EndedPeriod;
use voight_domain::vocabulary::{ClientId, ContextId};
use voight_encoding::keyspace::{
    ClientCount, EvidenceTotal, KeyField, SigningKeyNumber, Table, parse_key,
};

/// Number of the only stream of a ledger.
const STREAM: i64 = 0;

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
    pub(super) async fn add(
        &mut self,
        transaction: &Transaction,
        key: &[u8],
        record: &[u8],
    ) -> Result<(), Error> {
        let (table, pieces) = parse_key(key).map_err(Error::damaged)?;
        let key_fields = KeyFields(&pieces);
        match Placement::for_table(table) {
            Placement::Keyed(keyed_table) => {
                self.prepare(table, key_fields, record)?;
                self.keyed(&keyed_table, key_fields, record)?;
            }
            Placement::Converted(table) => self.converted(table, key_fields, record)?,
        }
        if self.rows.should_flush() {
            self.rows.flush(transaction).await
        } else {
            Ok(())
        }
    }

    /// Flushes all remaining rows after the last record.
    pub(super) async fn finish(&mut self, transaction: &Transaction) -> Result<(), Error> {
        self.clients.put(&mut self.rows);
        self.books.put(&mut self.rows);
        self.rows.flush(transaction).await?;
        transaction
            .execute_sql(clients::SET_CLIENT_TOTAL, values![self.client_total])
            .await?;
        transaction
            .execute_sql(admin::SET_SIGNING_KEY, values![self.signing_key])
            .await?;
        transaction
            .execute_sql(evidence::SET_TOTAL, values![self.evidence_total])
            .await?;
        if let Some(head) = self.audit_head.take() {
            transaction
                .execute_sql(admin::SET_AUDIT_HEAD, values![head])
                .await?;
        }
        Ok(())
    }

    /// Notes what later records refer to, and adds the rows of directories, before the row of a keyed table.
    fn prepare(
        &mut self,
        table: Table,
        key_fields: KeyFields<'_>,
        record: &[u8],
    ) -> Result<(), Error> {
        match table {
            Table::Key => self.key(&decode(record)?),
            Table::Context => self.context(key_fields.number(0)?, decode(record)?)?,
            Table::EndedPeriod => {
                let book = decode::<EndedPeriod>(record)?.book;
                self.books
                    .bills(book, self.clients.id(key_fields.number(0)?)?);
            }
            _ => {}
        }
        Ok(())
    }

    /// Adds a row with the fields of the record key, the derived columns and the record.
    fn keyed(
        &mut self,
        keyed_table: &KeyedTable,
        key_fields: KeyFields<'_>,
        record: &[u8],
    ) -> Result<(), Error> {
        let (mut row, fields) = match keyed_table.scope {
            Scope::Store => (Vec::new(), 0),
            Scope::Client => (values![self.clients.id(key_fields.number(0)?)?], 1),
            Scope::Ledger => (
                values![
                    self.clients.id(key_fields.number(0)?)?,
                    key_fields.number(1)?,
                    STREAM
                ],
                2,
            ),
            Scope::Context => (self.context_columns(key_fields)?.into(), 2),
        };
        for index in fields..key_fields.0.len() {
            row.push(key_fields.value(index)?);
        }
        row.extend((keyed_table.derived_columns)(record)?);
        row.push(record.into());
        self.rows.add(keyed_table.table, row);
        Ok(())
    }

    fn converted(
        &mut self,
        table: ConvertedTable,
        at: KeyFields<'_>,
        record: &[u8],
    ) -> Result<(), Error> {
        match table {
            ConvertedTable::Client | ConvertedTable::ClientCounters => {
                self.registry(table, at, record)?;
            }
            ConvertedTable::Meter => self.meter(at, record)?,
            ConvertedTable::PriceBook => {
                self.books
                    .add(at.bytes(0)?.try_into().map_err(Error::damaged)?, record);
            }
            ConvertedTable::IdempotencyRecord => self.idempotency_record(at, record)?,
            ConvertedTable::PresentedInput => self.presented_input(at, record)?,
            ConvertedTable::Cluster => self.cluster(at, record)?,
            ConvertedTable::Concluded => self.concluded(at, record)?,
            ConvertedTable::EvidenceHead => self.evidence_head(at, record)?,
            ConvertedTable::ClientCount => self.client_total = decode::<ClientCount>(record)?.0,
            ConvertedTable::SigningKey => self.signing_key = decode::<SigningKeyNumber>(record)?.0,
            ConvertedTable::EvidenceTotal => {
                self.evidence_total = Some(decode::<EvidenceTotal>(record)?.0);
            }
            ConvertedTable::AuditHead => self.audit_head = Some(record.to_vec()),
            ConvertedTable::KeyDigest
            | ConvertedTable::KeyOwner
            | ConvertedTable::ClientName
            | ConvertedTable::ContextIndex
            | ConvertedTable::Unsettled
            | ConvertedTable::EvidenceDue
            | ConvertedTable::DueEndpoint => {}
            ConvertedTable::Identity => {
                return Err(Error::damaged(format_args!(
                    "table {}",
                    Table::Identity.name()
                )));
            }
        }
        Ok(())
    }
}

/// Fields of a record key.
#[derive(Clone, Copy)]
struct KeyFields<'a>(&'a [KeyField<'a>]);

impl<'a> KeyFields<'a> {
    fn number(self, index: usize) -> Result<u64, Error> {
        self.0
            .get(index)
            .copied()
            .and_then(KeyField::number)
            .ok_or_else(wrong_key)
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
