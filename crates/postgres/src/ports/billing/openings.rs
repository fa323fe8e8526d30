//! Deletion of the openings of old ledger rows, and of old rows of sandbox ledgers.

use crate::connection::Transaction;
use crate::error::Error;
use crate::sql::billing;
use crate::value::{RowExt, values};
use tokio_postgres::Row;
use voight_domain::metering::LedgerId;
use voight_domain::vocabulary::{ClientId, Environment, Timestamp};
use voight_encoding::ByteEnum;

/// Returns the keys of all ledgers.
pub(super) async fn ledgers(transaction: &Transaction) -> Result<Vec<LedgerId>, Error> {
    let rows = transaction.rows(billing::LEDGERS, Vec::new()).await?;
    let ledgers = rows.iter().map(|row| {
        let code = u8::try_from(row.number(1)?).unwrap_or(u8::MAX);
        let environment = Environment::from_code(code).map_err(Error::damaged)?;
        Ok(LedgerId {
            client: ClientId::from_bytes(row.byte_array(0)?),
            environment,
        })
    });
    ledgers.collect()
}

/// Deletes at most `limit` openings of rows written before `before`; returns their number.
///
/// Rows are in the order of their dates, so the scan starts at the first opening of the ledger and ends at the first
/// that is kept.
pub(super) async fn delete_before(
    transaction: &Transaction,
    ledger: LedgerId,
    before: Timestamp,
    limit: usize,
) -> Result<usize, Error> {
    let rows = first_rows(transaction, ledger, billing::FIRST_OPENINGS, limit).await?;
    delete_written_before(
        transaction,
        ledger,
        &rows,
        before,
        &[billing::FORGET_OPENINGS],
    )
}

/// Deletes at most `limit` rows of a ledger written before `before`, except for its last row, with their openings and the
/// periods that they end; returns their number.
pub(super) async fn expire_rows(
    transaction: &Transaction,
    ledger: LedgerId,
    before: Timestamp,
    limit: usize,
) -> Result<usize, Error> {
    let rows = first_rows(transaction, ledger, billing::FIRST_ROWS, limit).await?;
    let deletions = [
        billing::EXPIRE_ROWS,
        billing::EXPIRE_PERIODS,
        billing::FORGET_OPENINGS,
    ];
    delete_written_before(transaction, ledger, &rows, before, &deletions)
}

/// Reads the numbers and dates of the first `limit` rows that `statement` selects from a ledger.
async fn first_rows(
    transaction: &Transaction,
    LedgerId {
        client,
        environment,
    }: LedgerId,
    statement: &'static str,
    limit: usize,
) -> Result<Vec<Row>, Error> {
    transaction.set_client(client);
    transaction
        .rows(statement, values![client, environment, limit])
        .await
}

/// Deletes the first of these rows, as far as they were written before `before`; returns their number.
fn delete_written_before(
    transaction: &Transaction,
    LedgerId {
        client,
        environment,
    }: LedgerId,
    rows: &[Row],
    before: Timestamp,
    deletions: &[&'static str],
) -> Result<usize, Error> {
    let expired_rows = written_before(rows, before)?;
    if !expired_rows.is_empty() {
        for deletion in deletions {
            transaction.enqueue_write(deletion, values![client, environment, expired_rows.clone()]);
        }
    }
    Ok(expired_rows.len())
}

/// Returns the numbers of the rows up to the first that was not written before `before`.
fn written_before(rows: &[Row], before: Timestamp) -> Result<Vec<i64>, Error> {
    let mut expired_rows = Vec::new();
    for row in rows {
        let (seq, at): (i64, i64) = (row.column(0)?, row.column(1)?);
        if at >= before.as_millis() {
            break;
        }
        expired_rows.push(seq);
    }
    Ok(expired_rows)
}
