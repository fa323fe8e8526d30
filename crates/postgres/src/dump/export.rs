//! Export of each table of a dump.

use super::RecordVisitor;
use crate::connection::Transaction;
use crate::error::Error;
use crate::sql::dump;
use crate::value::{RowExt, Value};
use futures_util::TryStreamExt;
use std::ops::ControlFlow;
use std::pin::pin;
use tokio_postgres::Row;
use voight_domain::check::EvidenceShare;
use voight_domain::registry::AuditHead;
use voight_domain::vocabulary::{CheckId, ClientId, KeyId, Timestamp};
use voight_encoding::Encode;
use voight_encoding::keyspace::{
    ApiKeyIndex, ApiKeyLocation, ClientCount, ClientCounters, ClientNameIndex, ClientNumber, ClientRecord,
    ContextLocation, EvidenceByExpiry, EvidenceSummary, EvidenceTotal, KeyField, KeyPart, PresentedInputIndex,
    SigningKeyNumber, Table, UnjudgedCheck, build_key,
};

/// Reads a record from the columns of a row, starting at an index; `None` if a dump has no such record.
type RecordReader = fn(&Row, usize) -> Result<Option<Vec<u8>>, Error>;

/// Table of a dump with the statement that reads it. The columns of the keys precede those of the records.
pub(super) struct TableExport {
    table: Table,
    /// `true` when the statement concerns one client, whose number leads the key.
    pub(super) is_of_clients: bool,
    sql: &'static str,
    record: RecordReader,
}

const fn of_store(table: Table, sql: &'static str, record: RecordReader) -> TableExport {
    TableExport { table, is_of_clients: false, sql, record }
}

const fn of_clients(table: Table, sql: &'static str, record: RecordReader) -> TableExport {
    TableExport { table, is_of_clients: true, sql, record }
}

/// Every table in the order of a dump, except for the identity, which is in the header of a dump.
pub(super) const SECTIONS: [TableExport; 36] = [
    of_store(Table::Client, dump::CLIENTS, client),
    of_clients(Table::Key, dump::KEYS, raw_record),
    of_store(Table::KeyDigest, dump::DIGESTS, key_record_key),
    of_store(Table::KeyOwner, dump::KEY_OWNERS, |row, at| some(&ApiKeyIndex(client_number(row, at)?))),
    of_store(Table::ClientName, dump::NAMES, |row, at| {
        some(&ClientNameIndex(ClientId::from_bytes(row.byte_array(at)?)))
    }),
    of_store(Table::ClientCount, dump::CLIENT_TOTAL, |row, at| some(&ClientCount(small(row, at)?))),
    of_store(Table::ClientCounters, dump::COUNTS, counts),
    of_clients(Table::Context, dump::CONTEXTS, raw_record),
    of_store(Table::ContextIndex, dump::PLACES, context_key),
    of_clients(Table::Verdict, dump::VERDICTS, raw_record),
    of_clients(Table::Event, dump::EVENTS, raw_record),
    of_clients(Table::PresentedInput, dump::INPUTS, |row, at| {
        some(&PresentedInputIndex(CheckId::from_bytes(row.byte_array(at)?)))
    }),
    of_store(Table::Concluded, dump::CONCLUDED, raw_record),
    of_clients(Table::Meter, dump::METERS, raw_record),
    of_clients(Table::Row, dump::LEDGER, raw_record),
    of_clients(Table::Opening, dump::OPENINGS, raw_record),
    of_store(Table::Audit, dump::AUDIT, raw_record),
    of_store(Table::AuditHead, dump::AUDIT_HEAD, audit_head),
    of_clients(Table::Tombstone, dump::TOMBSTONES, raw_record),
    of_store(Table::PriceBook, dump::PRICE_BOOKS, raw_record),
    of_clients(Table::EndedPeriod, dump::ENDED_PERIODS, raw_record),
    of_clients(Table::Invoice, dump::INVOICES, raw_record),
    of_clients(Table::Adjustment, dump::ADJUSTMENTS, raw_record),
    of_clients(Table::Account, dump::ACCOUNTS, raw_record),
    of_clients(Table::Alert, dump::ALERTS, raw_record),
    of_clients(Table::FingerprintPage, dump::TRACES, raw_record),
    of_clients(Table::Cluster, dump::CLUSTERS, raw_record),
    of_clients(Table::Label, dump::LABELS, raw_record),
    of_store(Table::EvidenceHead, dump::EVIDENCE_CHECKS, evidence_head),
    of_store(Table::Evidence, dump::EVIDENCE_BATCHES, raw_record),
    of_store(Table::Unsettled, dump::UNSETTLED, |_, _| some(&UnjudgedCheck)),
    of_store(Table::EvidenceTotal, dump::EVIDENCE_TOTAL, |row, at| some(&EvidenceTotal(row.number(at)?))),
    of_store(Table::EvidenceDue, dump::EVIDENCE_ENDS, |_, _| some(&EvidenceByExpiry)),
    of_store(Table::SigningKey, dump::SIGNING_KEY, |row, at| some(&SigningKeyNumber(small(row, at)?))),
    of_store(Table::IdempotencyRecord, dump::IDEMPOTENCY_RECORDS, raw_record),
    of_store(Table::AdminToken, dump::ADMIN_TOKENS, raw_record),
];

impl TableExport {
    /// Passes the records of the statement to `visit` as a stream, so that memory use is bounded.
    pub(super) async fn read(
        &self,
        transaction: &Transaction,
        client: Option<u64>,
        values: Vec<Value>,
        visit: &mut RecordVisitor<'_>,
    ) -> Result<ControlFlow<()>, Error> {
        let columns = &self.table.parts()[usize::from(client.is_some())..];
        let mut rows = pin!(transaction.stream(self.sql, values).await?);
        while let Some(row) = rows.try_next().await? {
            let Some(record) = (self.record)(&row, columns.len())? else { continue };
            let mut pieces: Vec<_> = client.map(KeyField::Number).into_iter().collect();
            for (index, part) in columns.iter().enumerate() {
                pieces.push(key_part(&row, index, *part)?);
            }
            let key = build_key(self.table, &pieces).map_err(Error::damaged)?;
            if visit(&key, record).is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        Ok(ControlFlow::Continue(()))
    }
}

fn key_part(row: &Row, index: usize, part: KeyPart) -> Result<KeyField<'_>, Error> {
    Ok(match part {
        KeyPart::Time => KeyField::Time(Timestamp::from_millis(row.column(index)?)),
        KeyPart::Byte | KeyPart::Short | KeyPart::Number | KeyPart::Long => KeyField::Number(row.number(index)?),
        KeyPart::Fixed(_) | KeyPart::Remaining => KeyField::Bytes(row.column(index)?),
    })
}

#[expect(clippy::unnecessary_wraps, reason = "what makes a record has this form")]
fn some(record: &impl Encode) -> Result<Option<Vec<u8>>, Error> {
    Ok(Some(record.encode()))
}

fn raw_record(row: &Row, at: usize) -> Result<Option<Vec<u8>>, Error> {
    row.column(at).map(Some)
}

fn client(row: &Row, at: usize) -> Result<Option<Vec<u8>>, Error> {
    some(&ClientRecord { client_number: client_number(row, at)?, client: row.record(at + 1)? })
}

fn key_record_key(row: &Row, at: usize) -> Result<Option<Vec<u8>>, Error> {
    some(&ApiKeyLocation { client_number: client_number(row, at)?, key: KeyId::from_bytes(row.byte_array(at + 1)?) })
}

fn counts(row: &Row, at: usize) -> Result<Option<Vec<u8>>, Error> {
    some(&ClientCounters { keys: small(row, at)?, contexts: small(row, at + 1)? })
}

fn context_key(row: &Row, at: usize) -> Result<Option<Vec<u8>>, Error> {
    some(&ContextLocation { client_number: client_number(row, at)?, number: small(row, at + 1)? })
}

/// Returns the head of the audit log. A dump has no head for an empty log.
fn audit_head(row: &Row, at: usize) -> Result<Option<Vec<u8>>, Error> {
    let head: AuditHead = row.record(at)?;
    Ok((head != AuditHead::genesis()).then(|| head.encode()))
}

fn evidence_head(row: &Row, at: usize) -> Result<Option<Vec<u8>>, Error> {
    some(&EvidenceSummary {
        opened_at: Timestamp::from_millis(row.column(at)?),
        keep_until: Timestamp::from_millis(row.column(at + 1)?),
        bytes: row.number(at + 2)?,
        judged: row.column(at + 3)?,
        share: share(row, at + 4)?,
    })
}

/// Returns the share in a column.
pub(crate) fn share(row: &Row, at: usize) -> Result<EvidenceShare, Error> {
    EvidenceShare::from_slice(row.column(at)?).ok_or_else(|| Error::damaged("a share of evidence"))
}

fn client_number(row: &Row, index: usize) -> Result<ClientNumber, Error> {
    small(row, index).map(ClientNumber)
}

fn small(row: &Row, index: usize) -> Result<u32, Error> {
    u32::try_from(row.number(index)?).map_err(Error::damaged)
}
