//! Statement of a period.

use super::Adjustment;
use crate::billing::{AmountOverflow, ChargeLine, Money, PriceBook, charge_lines};
use crate::metering::{ChainHead, Period};

/// Priced usage of a period, line by line. The same rows, adjustments and balance give the same statement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Statement {
    /// The period.
    pub period: Period,
    /// The sequence number of the first row.
    pub first_seq: u64,
    /// The sequence number of the last row: of the marker, once the period has ended.
    pub last_seq: u64,
    /// The chain head after the last row.
    pub head: ChainHead,
    /// Billable lookups of the period.
    pub billable: u64,
    /// Lookups beyond the free allowance.
    pub charged: u64,
    /// The price book of the period.
    pub price_book: PriceBook,
    /// A charge line for each reached tier, and for its flat fee.
    pub lines: Vec<ChargeLine>,
    /// Credits and corrections.
    pub adjustments: Vec<Adjustment>,
    /// The balance carried forward from earlier invoices.
    pub carried_forward: Money,
    /// The sum of all lines, adjustments and the balance; negative for an amount owed to the client.
    pub total: Money,
}

/// Usage of a period, without prices.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct PeriodUsage {
    pub(super) period: Period,
    pub(super) first: u64,
    pub(super) last: u64,
    pub(super) head: ChainHead,
    pub(super) billable: u64,
    pub(super) paid: u64,
}

impl Statement {
    pub(crate) fn new(
        usage: PeriodUsage,
        book: PriceBook,
        adjustments: Vec<Adjustment>,
        carried: Money,
    ) -> Result<Self, AmountOverflow> {
        let PeriodUsage {
            period,
            first,
            last,
            head,
            billable,
            paid,
        } = usage;
        let lines = charge_lines(&book, paid)?;
        let amounts = lines
            .iter()
            .map(|line| line.amount)
            .chain(adjustments.iter().map(|adjustment| adjustment.amount));
        let total = amounts.into_iter().try_fold(carried, Money::checked_add)?;
        Ok(Self {
            period,
            first_seq: first,
            last_seq: last,
            head,
            billable,
            charged: paid,
            price_book: book,
            lines,
            adjustments,
            carried_forward: carried,
            total,
        })
    }

    /// Returns the number of lookups within the free allowance.
    pub const fn free(&self) -> u64 {
        self.billable.saturating_sub(self.charged)
    }

    /// Returns the amount to pay: the total, or zero if the total is negative.
    pub fn due(&self) -> Money {
        Money {
            minor: self.total.minor.max(0),
            ..self.total
        }
    }

    /// Returns the balance of the next invoice: the total if it is negative, else zero.
    pub fn carried_forward(&self) -> Money {
        Money {
            minor: self.total.minor.min(0),
            ..self.total
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::billing::Currency;
    use crate::metering::LedgerId;
    use crate::vocabulary::{ClientId, Timestamp};

    fn dollars(minor: i64) -> Money {
        Money {
            minor,
            currency: Currency::USD,
        }
    }

    /// Returns the statement of a period without adjustments, with 10 lookups of which `paid` are paid.
    fn statement(paid: u64, carried: i64) -> Statement {
        let period = Period {
            start: Timestamp::from_millis(0),
            end: Timestamp::from_millis(1),
        };
        let head = ChainHead::genesis(LedgerId::live(ClientId::from_bytes([1; 16])));
        let usage = PeriodUsage {
            period,
            first: 1,
            last: 11,
            head,
            billable: 10,
            paid,
        };
        Statement::new(
            usage,
            PriceBook::example(Currency::USD),
            Vec::new(),
            dollars(carried),
        )
        .unwrap()
    }

    #[test]
    fn free_lookups_are_the_unpaid_ones() {
        assert_eq!(
            [0, 3, 10].map(|paid_lookups| statement(paid_lookups, 0).free()),
            [10, 7, 0]
        );
    }

    #[test]
    fn negative_total_is_carried_forward() {
        let sums = |carried_minor| {
            let statement = statement(0, carried_minor);
            (
                statement.total.minor,
                statement.due().minor,
                statement.carried_forward().minor,
            )
        };
        assert_eq!([-1, 0, 1].map(sums), [(-1, 0, -1), (0, 0, 0), (1, 1, 0)]);
    }

    #[test]
    fn total_includes_the_carried_amount() {
        let without = statement(10, 0);
        let with = statement(10, 7);
        let lines: i64 = without.lines.iter().map(|line| line.amount.minor).sum();
        assert!(lines > 0, "paid lookups cost something: {without:?}");
        assert_eq!((without.total.minor, with.total.minor), (lines, lines + 7));
    }
}
