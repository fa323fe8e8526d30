//! Reads the facts that billing decisions depend on.

use crate::common;
use crate::connection::Transaction;
use crate::error::Error;
use crate::sql::{billing, registry};
use crate::value::values;
use voight_domain::invoicing::{Account, BillingFacts};
use voight_domain::metering::{EndedPeriod, LedgerId};
use voight_domain::vocabulary::ClientId;
use voight_domain::vocabulary::Environment::Live;

/// Reads the billing facts of a client. A caller that changes billing records must lock client and meter first.
pub(super) async fn read(
    transaction: &Transaction,
    client: ClientId,
) -> Result<Option<BillingFacts>, Error> {
    let Some(client_record) = transaction.fetch(registry::CLIENT, values![client]).await? else {
        return Ok(None);
    };
    let meter = common::meter(transaction, LedgerId::live(client)).await?;
    let ended_periods: Vec<EndedPeriod> = transaction
        .list(billing::WITHOUT_INVOICE, values![client, Live])
        .await?;
    let mut books = Vec::new();
    for digest in ended_periods
        .iter()
        .map(|period| period.book)
        .chain(meter.and_then(|meter| meter.price_book))
    {
        books.extend(
            transaction
                .fetch(billing::BOOK, values![client, &digest.0[..]])
                .await?,
        );
    }
    Ok(Some(BillingFacts {
        client: client_record,
        meter,
        ended: ended_periods,
        price_books: books,
        account: account(transaction, client).await?,
        pending_adjustments: transaction.list(billing::WAITING, values![client]).await?,
    }))
}

/// Reads the account of a client.
pub(super) async fn account(transaction: &Transaction, client: ClientId) -> Result<Account, Error> {
    Ok(transaction
        .fetch(billing::ACCOUNT, values![client])
        .await?
        .unwrap_or_default())
}
