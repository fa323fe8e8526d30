//! Export of a ledger with its contexts, price books and invoices, read page by page.

use super::read_all::{PAGE, read_contexts, read_invoices};
use super::{LedgerService, Openings};
use crate::billing::PriceBook;
use crate::invoicing::BillingFacts;
use crate::ledger_audit::{ExportHeader, ExportLine, ExportSeal, ListedBook, ListedContext, ListedInvoice, RowLine};
use crate::metering::{ChainHead, LedgerId, MeterState, SignedHead};
use crate::ports::{ContextFilter, LedgerEntry, Store, StoreError};
use crate::registry::{Client, Context};
use crate::secrets::Signer;
use crate::vocabulary::Environment;
use std::collections::HashSet;
use std::sync::Arc;

/// Ledger export, up to the head of the ledger at the time of creation.
pub struct LedgerExport {
    store: Arc<dyn Store>,
    signer: Arc<Signer>,
    header: ExportHeader,
    openings: Openings,
    /// Price books of ended periods that have no invoice.
    open_books: Vec<PriceBook>,
    /// Number of the last invoice.
    last_invoice: u32,
    section: Section,
}

/// Section of an export that is read next.
enum Section {
    /// Header and contexts.
    Start,
    /// Rows after a sequence number, with the chain head at it.
    Rows { after: u64, head: ChainHead },
    /// Price books and invoices.
    Bills,
    /// Trailer, which the caller writes.
    End,
}

impl LedgerService {
    /// Prepares the export of a client's ledger, with the openings of its rows if requested.
    ///
    /// Meter and billing records are read at one moment, so that no invoice refers to later rows.
    pub async fn export(
        &self,
        client: Client,
        environment: Environment,
        openings: Openings,
    ) -> Result<LedgerExport, StoreError> {
        let signer = self.secrets.signer();
        let (mut meter, mut open_books, mut last_invoice) = (None, Vec::new(), 0);
        if environment == Environment::Sandbox {
            // Sandbox ledgers have no billing records.
            meter = Some(self.meter(LedgerId { client: client.id, environment }).await?);
        } else if let Some(facts) = self.store.billing(client.id).await? {
            let BillingFacts { meter: live, account, price_books, ended, .. } = facts;
            (meter, open_books, last_invoice) = (live, price_books, account.last_invoice_number);
            open_books.retain(|book| ended.iter().any(|period| period.book == book.digest()));
        }
        let MeterState { seq, head, .. } = meter.unwrap_or_else(|| MeterState::new(client.id, environment));
        let at = self.clock.now();
        let header = ExportHeader {
            store: self.store.info().identity,
            client: client.id,
            name: client.name.to_string(),
            environment,
            exported_at: at,
            seq,
            head,
            signed_head: SignedHead { client: client.id, environment, seq, head, at }.to_token(&signer),
            keys: signer.public_keys().clone(),
        };
        Ok(LedgerExport {
            store: self.store.clone(),
            signer,
            header,
            openings,
            open_books,
            last_invoice,
            section: Section::Start,
        })
    }
}

impl LedgerExport {
    /// Returns the next lines, at most a page of rows; `None` before the trailer.
    ///
    /// A row that is missing in the store is missing in the export; the verifier reports it.
    pub async fn next_lines(&mut self) -> Result<Option<Vec<ExportLine>>, StoreError> {
        let ExportHeader { client, environment, seq: end, .. } = self.header;
        let mut lines = Vec::new();
        self.section = match self.section {
            Section::Start => {
                lines.push(ExportLine::Header(self.header.clone()));
                let contexts = read_contexts(self.store.as_ref(), ContextFilter::Client(client)).await?;
                let contexts = contexts.into_iter().filter(|context| context.environment == environment);
                let line = |Context { number, id, .. }| ExportLine::Context(ListedContext { number, id });
                lines.extend(contexts.map(line));
                Section::Rows { after: 0, head: ChainHead::genesis(client, environment) }
            }
            Section::Rows { after, .. } if after >= end => Section::Bills,
            Section::Rows { after, mut head } => {
                let page = self.store.rows(client, environment, after, PAGE).await?;
                let last = page.last().map(|entry| entry.row.seq);
                for LedgerEntry { row, opening } in page.into_iter().filter(|entry| entry.row.seq <= end) {
                    head = head.extend(&row.to_bytes());
                    let opening = opening.filter(|_| self.openings == Openings::Included);
                    lines.push(ExportLine::Row(RowLine { row, head, opening }));
                }
                last.map_or(Section::Bills, |after| Section::Rows { after, head })
            }
            Section::Bills => {
                self.add_bills(&mut lines).await?;
                Section::End
            }
            Section::End => return Ok(None),
        };
        Ok(Some(lines))
    }

    /// Adds the invoices, and each price book once, before the first invoice that refers to it.
    async fn add_bills(&self, lines: &mut Vec<ExportLine>) -> Result<(), StoreError> {
        let mut listed = HashSet::new();
        let mut book = |book: &PriceBook| {
            let book = ListedBook::from(book);
            listed.insert(book.digest).then_some(ExportLine::PriceBook(book))
        };
        lines.extend(self.open_books.iter().filter_map(&mut book));
        let invoices = read_invoices(self.store.as_ref(), self.header.client).await?;
        for invoice in invoices.iter().filter(|invoice| invoice.id.number <= self.last_invoice) {
            lines.extend(book(&invoice.statement.price_book));
            lines.push(ExportLine::Invoice(Box::new(ListedInvoice::from(invoice))));
        }
        Ok(())
    }

    /// Returns the trailer of the lines in `seal`.
    pub fn trailer(&self, seal: &ExportSeal) -> ExportLine {
        ExportLine::Trailer(seal.close(&self.signer))
    }
}
