//! Export of a ledger with its contexts, price books and invoices, read page by page.

use super::read_all::PAGE;
use super::{LedgerService, Openings};
use crate::billing::{PriceBook, PriceBookDigest};
use crate::invoicing::BillingFacts;
use crate::ledger_audit::{
    ExportHeader, ExportLine, ExportSeal, ListedBook, ListedContext, ListedInvoice, RowLine,
};
use crate::metering::{ChainHead, LedgerId, MeterState, SignedHead};
use crate::ports::{ContextFilter, LedgerEntry, Store, StoreError};
use crate::registry::Client;
use crate::secrets::Signer;
use crate::vocabulary::{ContextId, Environment};
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
    listed_books: HashSet<PriceBookDigest>,
    position: Position,
}

/// Section of an export that is read next, with the last record that was read.
enum Position {
    Header,
    Contexts(Option<ContextId>),
    Rows { after: u64, head: ChainHead },
    OpenBooks,
    Invoices(u32),
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
        let ledger = LedgerId {
            client: client.id,
            environment,
        };
        let mut meter = None;
        let mut open_books = Vec::new();
        let mut last_invoice = 0;
        if environment == Environment::Sandbox {
            // Sandbox ledgers have no billing records.
            meter = Some(self.meter(ledger).await?);
        } else if let Some(facts) = self.store.billing(client.id).await? {
            let BillingFacts {
                meter: live,
                account,
                price_books,
                ended,
                ..
            } = facts;
            (meter, open_books, last_invoice) = (live, price_books, account.last_invoice_number);
            open_books.retain(|book| ended.iter().any(|period| period.book == book.digest()));
        }
        let MeterState { seq, head, .. } = meter.unwrap_or_else(|| MeterState::new(ledger));
        let at = self.clock.now();
        let header = ExportHeader {
            store: self.store.info().identity,
            client: client.id,
            name: client.name.to_string(),
            environment,
            exported_at: at,
            seq,
            head,
            signed_head: SignedHead {
                client: client.id,
                environment,
                seq,
                head,
                at,
            }
            .to_token(&signer),
            keys: signer.public_keys().clone(),
        };
        Ok(LedgerExport {
            store: self.store.clone(),
            signer,
            header,
            openings,
            open_books,
            last_invoice,
            listed_books: HashSet::new(),
            position: Position::Header,
        })
    }
}

impl LedgerExport {
    /// Returns the next lines, at most a page of records; `None` before the trailer.
    ///
    /// A row that is missing in the store is missing in the export; the verifier reports it.
    pub async fn next_lines(&mut self) -> Result<Option<Vec<ExportLine>>, StoreError> {
        let ledger = self.header.ledger();
        let mut lines = Vec::new();
        self.position = match &mut self.position {
            Position::Header => {
                lines.push(ExportLine::Header(self.header.clone()));
                Position::Contexts(None)
            }
            Position::Contexts(after) => {
                let page = self
                    .store
                    .contexts(ContextFilter::Client(ledger.client), after.take(), PAGE)
                    .await?;
                let last = page.last().map(|context| context.id.clone());
                let page = page
                    .into_iter()
                    .filter(|context| context.environment == ledger.environment);
                lines.extend(
                    page.map(|context| ListedContext {
                        number: context.number,
                        id: context.id,
                    })
                    .map(ExportLine::Context),
                );
                match last {
                    Some(last) => Position::Contexts(Some(last)),
                    None => Position::Rows {
                        after: 0,
                        head: ChainHead::genesis(ledger),
                    },
                }
            }
            Position::Rows { after, .. } if *after >= self.header.seq => Position::OpenBooks,
            Position::Rows { after, head } => {
                let mut head = *head;
                let page = self.store.rows(ledger, *after, PAGE).await?;
                let last = page.last().map(|entry| entry.row.seq);
                for LedgerEntry { row, opening } in page
                    .into_iter()
                    .filter(|entry| entry.row.seq <= self.header.seq)
                {
                    head = head.extend(&row.to_bytes());
                    let opening = opening.filter(|_| self.openings == Openings::Included);
                    lines.push(ExportLine::Row(RowLine { row, head, opening }));
                }
                last.map_or(Position::OpenBooks, |after| Position::Rows { after, head })
            }
            Position::OpenBooks => {
                for book in std::mem::take(&mut self.open_books) {
                    lines.extend(self.unlisted(&book));
                }
                Position::Invoices(0)
            }
            Position::Invoices(after) if *after >= self.last_invoice => Position::End,
            Position::Invoices(after) => {
                let page = self.store.invoices(ledger.client, *after, PAGE).await?;
                let last = self.last_invoice;
                for invoice in page.iter().filter(|invoice| invoice.id.number <= last) {
                    lines.extend(self.unlisted(&invoice.statement.price_book));
                    lines.push(ExportLine::Invoice(Box::new(ListedInvoice::from(invoice))));
                }
                page.last().map_or(Position::End, |invoice| {
                    Position::Invoices(invoice.id.number)
                })
            }
            Position::End => return Ok(None),
        };
        Ok(Some(lines))
    }

    /// Returns the trailer of the lines in `seal`.
    pub fn trailer(&self, seal: &ExportSeal) -> ExportLine {
        ExportLine::Trailer(seal.close(&self.signer))
    }

    /// Returns the line of a price book before the first invoice that refers to it.
    fn unlisted(&mut self, book: &PriceBook) -> Option<ExportLine> {
        let book = ListedBook::from(book);
        self.listed_books
            .insert(book.digest)
            .then_some(ExportLine::PriceBook(book))
    }
}
