//! Price books and invoices of an export.

use super::stream::{LineWriter, PAGE};
use crate::admin::from_store_error;
use crate::error::ApiError;
use std::collections::HashSet;
use tokio::runtime::Handle;
use voight_domain::billing::PriceBook;
use voight_domain::invoicing::BillingFacts;
use voight_domain::ledger_audit::{ExportLine, ListedBook, ListedInvoice};
use voight_domain::metering::MeterState;
use voight_domain::ports::{Store, StoreError};
use voight_domain::vocabulary::{ClientId, Environment};

/// Meter and billing records of an export, read in one snapshot, so that no invoice refers to later rows.
#[derive(Debug, Default)]
pub(super) struct BillingRecords {
    /// Number of the last invoice.
    last: u32,
    /// Price books of completed periods that have no invoice.
    books: Vec<PriceBook>,
}

impl BillingRecords {
    /// Loads the billing records and the meter of a ledger. Only live ledgers have any.
    pub(super) async fn load(
        store: &dyn Store,
        client: ClientId,
        environment: Environment,
    ) -> Result<(Option<MeterState>, Self), StoreError> {
        if environment == Environment::Sandbox {
            return Ok((store.meter(client, environment).await?, Self::default()));
        }
        let Some(BillingFacts { meter, account, price_books: mut books, ended, .. }) = store.billing(client).await?
        else {
            return Ok((None, Self::default()));
        };
        books.retain(|book| ended.iter().any(|period| period.book == book.digest()));
        Ok((meter, Self { last: account.last_invoice_number, books }))
    }

    /// Writes the invoices, and each price book once, before the first invoice that refers to it.
    pub(super) fn write(
        &self,
        store: &dyn Store,
        client: ClientId,
        runtime: &Handle,
        lines: &mut LineWriter<'_>,
    ) -> Result<(), ApiError> {
        let mut written = HashSet::new();
        let mut book = |book: &PriceBook, lines: &mut LineWriter<'_>| {
            let book = ListedBook::from(book);
            if written.insert(book.digest) { lines.put(&ExportLine::PriceBook(book)) } else { Ok(()) }
        };
        for open in &self.books {
            book(open, lines)?;
        }
        let mut after = 0;
        while after < self.last {
            let page = runtime.block_on(store.invoices(client, after, PAGE)).map_err(from_store_error)?;
            let Some(end) = page.last() else { return Ok(()) };
            after = end.id.number;
            for invoice in page.iter().filter(|invoice| invoice.id.number <= self.last) {
                book(&invoice.statement.price_book, lines)?;
                lines.put(&ExportLine::Invoice(Box::new(ListedInvoice::from(invoice))))?;
            }
        }
        Ok(())
    }
}
