//! Price books and invoices, as an export lists them behind the rows.

use crate::billing::{ChargeLine, Money, PriceBook, PriceBookDigest};
use crate::invoicing::{Adjustment, Invoice, InvoiceId, InvoiceState};
use crate::metering::{ChainHead, Period};
use crate::vocabulary::Timestamp;

/// A price book under the digest that markers and invoices name it by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedBook {
    /// What it says its digest is.
    pub digest: PriceBookDigest,
    /// The book.
    pub book: PriceBook,
}

/// An invoice. Its price book is in front of it, on a line of its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedInvoice {
    /// Whose it is, and its number.
    pub id: InvoiceId,
    /// The client's name when it was issued.
    pub name: String,
    /// When it was issued.
    pub issued_at: Timestamp,
    /// What has become of it.
    pub state: InvoiceState,
    /// The number of the voided invoice that it stands in for.
    pub replaces: Option<u32>,
    /// The period.
    pub period: Period,
    /// The sequence number of its first row.
    pub first: u64,
    /// The sequence number of the marker that ends it.
    pub last: u64,
    /// The chain's head after the marker.
    pub head: ChainHead,
    /// Lookups in it.
    pub billable: u64,
    /// Those beyond the free allowance.
    pub paid: u64,
    /// What it is priced by.
    pub book: PriceBookDigest,
    /// A line for each tier that is reached, and for its flat fee.
    pub lines: Vec<ChargeLine>,
    /// Credits and corrections.
    pub adjustments: Vec<Adjustment>,
    /// What was carried forward from before.
    pub carried: Money,
    /// The sum of all of these.
    pub total: Money,
}

impl From<&PriceBook> for ListedBook {
    fn from(book: &PriceBook) -> Self {
        Self { digest: book.digest(), book: book.clone() }
    }
}

impl From<&Invoice> for ListedInvoice {
    fn from(Invoice { id, name, statement, issued_at, replaces, state }: &Invoice) -> Self {
        Self {
            id: *id,
            name: name.to_string(),
            issued_at: *issued_at,
            state: state.clone(),
            replaces: *replaces,
            period: statement.period,
            first: statement.first_seq,
            last: statement.last_seq,
            head: statement.head,
            billable: statement.billable,
            paid: statement.charged,
            book: statement.price_book.digest(),
            lines: statement.lines.clone(),
            adjustments: statement.adjustments.clone(),
            carried: statement.carried_forward,
            total: statement.total,
        }
    }
}
