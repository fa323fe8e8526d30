//! Charges of a snapshot at a quoted price.

use crate::billing::{Money, PriceBook};
use crate::invoicing::{AdjustmentKind, NewAdjustment};
use crate::metering::{LookupWrite, QuotedPrice, RowKind};
use crate::vocabulary::SnapshotId;

/// Quoted price of a snapshot, and what its recorded lookups were charged.
///
/// The lookups are metered as all others, so they are charged at the prices of their periods. The transaction that records the
/// last one also stores a correction, which makes the sum equal to the quoted price.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QuotedCharges {
    /// The quoted price.
    pub price: QuotedPrice,
    /// The sum of the charges in each currency.
    pub charges: Vec<Money>,
}

impl QuotedCharges {
    /// Returns the state before the first lookup.
    pub const fn new(price: QuotedPrice) -> Self {
        Self { price, charges: Vec::new() }
    }

    /// Returns the state after these consecutive lookups of one period; `None` if its price book is not among `books`.
    pub(super) fn with_lookups<'a>(
        &self,
        lookups: &[LookupWrite],
        mut books: impl Iterator<Item = &'a PriceBook>,
    ) -> Option<Self> {
        let mut after = self.clone();
        if let Some(LookupWrite { meter, .. }) = lookups.last() {
            let book = books.find(|book| meter.price_book == Some(book.digest()))?;
            let rows = lookups.iter().flat_map(|lookup| &lookup.rows);
            let charged = rows.filter(|row| matches!(row.kind, RowKind::Lookup(lookup) if !lookup.free)).count();
            let minor = price(book, meter.charged).saturating_sub(price(book, meter.charged - charged as u64));
            add(&mut after.charges, Money { minor, currency: book.currency() });
        }
        Some(after)
    }

    /// Returns the corrections after which the lookups cost the quoted price.
    pub(super) fn corrections(&self, snapshot: SnapshotId) -> impl Iterator<Item = NewAdjustment> {
        let mut differences = vec![self.price.amount];
        for charge in &self.charges {
            add(&mut differences, Money { minor: charge.minor.saturating_neg(), ..*charge });
        }
        let quoted = self.price.amount;
        differences.into_iter().filter(|difference| difference.minor != 0).map(move |amount| NewAdjustment {
            kind: AdjustmentKind::Correction,
            amount,
            reason: format!("The quoted price of snapshot {snapshot} is {quoted}."),
        })
    }
}

/// Returns the price of paid lookups in minor units. A price that overflows is above every amount.
fn price(book: &PriceBook, paid: u64) -> i64 {
    book.price(paid).map_or(i64::MAX, |price| price.minor)
}

/// Adds an amount to the sum of its currency.
fn add(sums: &mut Vec<Money>, amount: Money) {
    match sums.iter_mut().find(|sum| sum.currency == amount.currency) {
        Some(sum) => sum.minor = sum.minor.saturating_add(amount.minor),
        None => sums.push(amount),
    }
}
