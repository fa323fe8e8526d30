//! Ledger rows and limits.

use crate::common;
use crate::connection::Transaction;
use crate::error::{Error, conflict, not_found};
use crate::sql::{billing, lookup, registry};
use crate::value::{RowExt, Value, decode, values};
use voight_domain::billing::PriceBook;
use voight_domain::metering::{LedgerId, Limit, MeterState};
use voight_domain::ports::LedgerEntry;
use voight_domain::registry::{AuditEntry, Client};
use voight_encoding::Encode;

/// Reads ledger rows, each with its opening unless that was deleted.
pub(super) async fn rows(
    transaction: &Transaction,
    page: &[Value],
) -> Result<Vec<LedgerEntry>, Error> {
    let rows = transaction.rows(billing::ROWS, page.to_vec()).await?;
    let entries = rows.iter().map(|row| {
        let opening: Option<&[u8]> = row.column(1)?;
        Ok(LedgerEntry {
            row: row.record(0)?,
            opening: opening.map(decode).transpose()?,
        })
    });
    entries.collect()
}

/// Sets or clears a limit of a meter.
pub(super) async fn set_limit(
    transaction: &Transaction,
    ledger: LedgerId,
    limit: Limit,
    book: &PriceBook,
    audit: &AuditEntry,
) -> Result<(), Error> {
    let LedgerId {
        client,
        environment,
    } = ledger;
    let client_record: Option<Client> =
        transaction.fetch(registry::CLIENT, values![client]).await?;
    client_record.ok_or_else(|| not_found("client", client))?;
    let meter = common::lock_meter(transaction, ledger).await?;
    let meter = meter.unwrap_or_else(|| MeterState::new(ledger));
    let running = match meter.price_book {
        Some(digest) => {
            transaction
                .fetch(billing::BOOK, values![client, &digest.0[..]])
                .await?
        }
        None => None,
    };
    let limited_meter = meter
        .with_limit(limit, running.as_ref().unwrap_or(book))
        .map_err(conflict)?;
    if limited_meter == meter {
        return Ok(());
    }
    transaction.enqueue_write(
        lookup::SET_METER,
        values![client, environment, limited_meter.encode()],
    );
    common::audit(transaction, audit).await
}
