//! Billing facts of a client.

use crate::common;
use crate::read_records::ReadRecords;
use crate::table::{self, ClientNumber};
use voight_domain::invoicing::BillingFacts;
use voight_domain::ports::StoreError;
use voight_domain::vocabulary::ClientId;
use voight_domain::vocabulary::Environment::Live;

/// Reads the billing facts of a client, together with its number.
pub(super) fn read(
    view: &impl ReadRecords,
    client: ClientId,
) -> Result<Option<(ClientNumber, BillingFacts)>, StoreError> {
    let Some(client_record) = view.fetch(&table::client(client))? else {
        return Ok(None);
    };
    let client_number = client_record.client_number;
    let meter = common::meter(view, client_number, Live)?;
    let mut ended_periods = view.list(&table::ended_periods(client_number, Live), usize::MAX)?;
    ended_periods.retain(|period| period.invoice.is_none());
    let mut pending_adjustments = view.list(&table::adjustments(client_number), usize::MAX)?;
    pending_adjustments.retain(|adjustment| adjustment.invoice.is_none());
    let mut books = Vec::new();
    for digest in ended_periods
        .iter()
        .map(|period| period.book)
        .chain(meter.and_then(|meter| meter.price_book))
    {
        books.extend(view.fetch(&table::price_book(digest))?);
    }
    let account = view
        .fetch(&table::account(client_number))?
        .unwrap_or_default();
    Ok(Some((
        client_number,
        BillingFacts {
            client: client_record.client,
            meter,
            ended: ended_periods,
            price_books: books,
            account,
            pending_adjustments,
        },
    )))
}
