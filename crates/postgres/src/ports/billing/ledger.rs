//! Ledger rows and limits.

use crate::common;
use crate::connection::Transaction;
use crate::error::{Error, not_found, refused};
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
    let found: Option<Client> = transaction.fetch(registry::CLIENT, values![client]).await?;
    found.ok_or_else(|| not_found("client", client))?;
    let before = common::lock_meter(transaction, ledger).await?;
    let before = before.unwrap_or_else(|| MeterState::new(ledger));
    let running = match before.price_book {
        Some(digest) => {
            transaction
                .fetch(billing::BOOK, values![client, &digest.0[..]])
                .await?
        }
        None => None,
    };
    let limited = before
        .with_limit(limit, running.as_ref().unwrap_or(book))
        .map_err(refused)?;
    if limited == before {
        return Ok(());
    }
    transaction.enqueue_write(
        lookup::SET_METER,
        values![client, environment, limited.encode()],
    );
    common::audit(transaction, audit).await
}
