//! Price books and invoices, as an export lists them after the rows.

use crate::billing::{ChargeLine, Money, PriceBook, PriceBookDigest};
use crate::invoicing::{Adjustment, Invoice, InvoiceId, InvoiceState};
use crate::metering::{ChainHead, Period};
use crate::vocabulary::Timestamp;

/// Price book with the digest by which markers and invoices refer to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedBook {
    /// The listed digest of the price book.
    pub digest: PriceBookDigest,
    /// The price book.
    pub book: PriceBook,
}

/// Listed invoice. Its price book precedes it, on a separate line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedInvoice {
    /// Id of the invoice: client and number.
    pub id: InvoiceId,
    /// The name of the client at the time of issue.
    pub name: String,
    /// The time of issue.
    pub issued_at: Timestamp,
    /// The state of the invoice.
    pub state: InvoiceState,
    /// The number of the voided invoice that this one replaces.
    pub replaces: Option<u32>,
    /// The period.
    pub period: Period,
    /// The sequence number of the first row.
    pub first: u64,
    /// The sequence number of the marker that ends it.
    pub last: u64,
    /// The chain head after the marker.
    pub head: ChainHead,
    /// Billable lookups of the period.
    pub billable: u64,
    /// Lookups beyond the free allowance.
    pub paid: u64,
    /// The digest of the price book.
    pub book: PriceBookDigest,
    /// A charge line for each reached tier, and for its flat fee.
    pub lines: Vec<ChargeLine>,
    /// Credits and corrections.
    pub adjustments: Vec<Adjustment>,
    /// The balance carried forward from earlier invoices.
    pub carried: Money,
    /// The sum of all lines, adjustments and the balance.
    pub total: Money,
}

impl From<&PriceBook> for ListedBook {
    fn from(book: &PriceBook) -> Self {
        Self {
            digest: book.digest(),
            book: book.clone(),
        }
    }
}

impl From<&Invoice> for ListedInvoice {
    fn from(
        Invoice {
            id,
            name,
            statement,
            issued_at,
            replaces,
            state,
        }: &Invoice,
    ) -> Self {
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
