//! Export of each table of a dump.

use super::RecordVisitor;
use crate::connection::Transaction;
use crate::error::Error;
use crate::sql::dump;
use crate::sql::tables::{ConvertedTable, KeyedTable, Placement, Scope};
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
    ApiKeyIndex, ApiKeyLocation, ClientCount, ClientCounters, ClientNameIndex, ClientNumber,
    ClientRecord, ContextLocation, DueEndpoint, EvidenceByExpiry, EvidenceSummary, EvidenceTotal,
    KeyField, KeyPart, PresentedInputIndex, SigningKeyNumber, Table, UnjudgedCheck, build_key,
};

/// Reads a record from the columns of a row, starting at an index; `None` if a dump has no such record.
type RecordReader = fn(&Row, usize) -> Result<Option<Vec<u8>>, Error>;

/// Table of a dump with the statement that reads it. The columns of the keys precede those of the records.
pub(super) struct TableExport {
    table: Table,
    /// `true` when the statement concerns one client, whose number leads the key.
    pub(super) is_of_client: bool,
    sql: &'static str,
    record: RecordReader,
}

/// Returns the export of a table. `None` for the identity, which is in the header of a dump.
pub(super) fn export_of(table: Table) -> Option<TableExport> {
    let of_store = |sql, record| TableExport {
        table,
        is_of_client: false,
        sql,
        record,
    };
    let of_client = |sql, record| TableExport {
        table,
        is_of_client: true,
        sql,
        record,
    };
    let converted_table = match Placement::for_table(table) {
        Placement::Keyed(KeyedTable {
            scope: Scope::Store,
            export,
            ..
        }) => return Some(of_store(export, raw_record)),
        Placement::Keyed(KeyedTable { export, .. }) => return Some(of_client(export, raw_record)),
        Placement::Converted(converted_table) => converted_table,
    };
    let export = match converted_table {
        ConvertedTable::Identity => return None,
        ConvertedTable::Client => of_store(dump::CLIENTS, client),
        ConvertedTable::KeyDigest => of_store(dump::DIGESTS, key_record_key),
        ConvertedTable::KeyOwner => of_store(dump::KEY_OWNERS, |row, index| {
            some(&ApiKeyIndex(client_number(row, index)?))
        }),
        ConvertedTable::ClientName => of_store(dump::NAMES, |row, index| {
            some(&ClientNameIndex(ClientId::from_bytes(
                row.byte_array(index)?,
            )))
        }),
        ConvertedTable::ClientCount => of_store(dump::CLIENT_TOTAL, |row, index| {
            some(&ClientCount(small(row, index)?))
        }),
        ConvertedTable::ClientCounters => of_store(dump::COUNTS, counts),
        ConvertedTable::ContextIndex => of_store(dump::PLACES, context_key),
        ConvertedTable::PresentedInput => of_client(dump::INPUTS, |row, index| {
            some(&PresentedInputIndex(CheckId::from_bytes(
                row.byte_array(index)?,
            )))
        }),
        ConvertedTable::Concluded => of_store(dump::CONCLUDED, raw_record),
        ConvertedTable::Meter => of_client(dump::METERS, raw_record),
        ConvertedTable::AuditHead => of_store(dump::AUDIT_HEAD, audit_head),
        ConvertedTable::PriceBook => of_store(dump::PRICE_BOOKS, raw_record),
        ConvertedTable::Cluster => of_client(dump::CLUSTERS, raw_record),
        ConvertedTable::EvidenceHead => of_store(dump::EVIDENCE_CHECKS, evidence_head),
        ConvertedTable::Unsettled => of_store(dump::UNSETTLED, |_, _| some(&UnjudgedCheck)),
        ConvertedTable::EvidenceTotal => of_store(dump::EVIDENCE_TOTAL, |row, index| {
            some(&EvidenceTotal(row.number(index)?))
        }),
        ConvertedTable::EvidenceDue => {
            of_store(dump::EVIDENCE_ENDS, |_, _| some(&EvidenceByExpiry))
        }
        ConvertedTable::DueEndpoint => of_store(dump::DUE_ENDPOINTS, |_, _| some(&DueEndpoint)),
        ConvertedTable::SigningKey => of_store(dump::SIGNING_KEY, |row, index| {
            some(&SigningKeyNumber(small(row, index)?))
        }),
        ConvertedTable::IdempotencyRecord => of_store(dump::IDEMPOTENCY_RECORDS, raw_record),
    };
    Some(export)
}

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
            let Some(record) = (self.record)(&row, columns.len())? else {
                continue;
            };
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
        KeyPart::Byte | KeyPart::Short | KeyPart::Number | KeyPart::Long => {
            KeyField::Number(row.number(index)?)
        }
        KeyPart::Fixed(_) | KeyPart::Remaining => KeyField::Bytes(row.column(index)?),
    })
}

#[expect(
    clippy::unnecessary_wraps,
    reason = "what makes a record has this form"
)]
fn some(record: &impl Encode) -> Result<Option<Vec<u8>>, Error> {
    Ok(Some(record.encode()))
}

fn raw_record(row: &Row, index: usize) -> Result<Option<Vec<u8>>, Error> {
    row.column(index).map(Some)
}

fn client(row: &Row, index: usize) -> Result<Option<Vec<u8>>, Error> {
    some(&ClientRecord {
        client_number: client_number(row, index)?,
        client: row.record(index + 1)?,
    })
}

fn key_record_key(row: &Row, index: usize) -> Result<Option<Vec<u8>>, Error> {
    some(&ApiKeyLocation {
        client_number: client_number(row, index)?,
        key: KeyId::from_bytes(row.byte_array(index + 1)?),
    })
}

fn counts(row: &Row, index: usize) -> Result<Option<Vec<u8>>, Error> {
    some(&ClientCounters {
        keys: small(row, index)?,
        contexts: small(row, index + 1)?,
    })
}

fn context_key(row: &Row, index: usize) -> Result<Option<Vec<u8>>, Error> {
    some(&ContextLocation {
        client_number: client_number(row, index)?,
        number: small(row, index + 1)?,
    })
}

/// Returns the head of the audit log. A dump has no head for an empty log.
fn audit_head(row: &Row, index: usize) -> Result<Option<Vec<u8>>, Error> {
    let head: AuditHead = row.record(index)?;
    Ok((head != AuditHead::genesis()).then(|| head.encode()))
}

fn evidence_head(row: &Row, index: usize) -> Result<Option<Vec<u8>>, Error> {
    some(&EvidenceSummary {
        opened_at: Timestamp::from_millis(row.column(index)?),
        keep_until: Timestamp::from_millis(row.column(index + 1)?),
        bytes: row.number(index + 2)?,
        judged: row.column(index + 3)?,
        share: share(row, index + 4)?,
    })
}

/// Returns the share in a column.
pub(crate) fn share(row: &Row, index: usize) -> Result<EvidenceShare, Error> {
    EvidenceShare::from_slice(row.column(index)?)
        .ok_or_else(|| Error::damaged("a share of evidence"))
}

fn client_number(row: &Row, index: usize) -> Result<ClientNumber, Error> {
    small(row, index).map(ClientNumber)
}

fn small(row: &Row, index: usize) -> Result<u32, Error> {
    u32::try_from(row.number(index)?).map_err(Error::damaged)
}
