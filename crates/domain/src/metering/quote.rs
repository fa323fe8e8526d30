//! Cost of further lookups, computed before they are made.

use super::{MeterRules, MeterState};
use crate::billing::{AmountOverflow, ChargeLine, Money, PriceBook, charge_lines, sum_of_lines};
use crate::vocabulary::Timestamp;

/// Estimate of the cost of a number of lookups.
///
/// The lookups cost this amount if they are the next ones of their ledger and are recorded in the running period. A quote
/// reserves no lookups and no price.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Quote {
    /// Number of lookups.
    pub units: u64,
    /// Number of them that the free allowance covers.
    pub free: u64,
    /// Number of them beyond the free allowance.
    pub charged: u64,
    /// Increase of the charges of the period.
    pub amount: Money,
    /// Charges of the period before the lookups.
    pub charges_before: Money,
    /// Charge lines of the period after the lookups.
    pub lines: Vec<ChargeLine>,
}

/// Error of a quote.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum QuoteError {
    /// A cap of the client does not allow as many lookups.
    #[error("the cap of this period leaves {remaining} billable lookups until {resets_at}")]
    CapReached {
        /// Number of lookups that the cap still allows.
        remaining: u64,
        /// The beginning of the next period.
        resets_at: Timestamp,
    },
    /// The amount exceeds the range of amounts.
    #[error("the amount of so many lookups is too large")]
    Overflow,
}

impl From<AmountOverflow> for QuoteError {
    fn from(_: AmountOverflow) -> Self {
        Self::Overflow
    }
}

impl MeterState {
    /// Returns the cost of the next `units` lookups at `now`. `running` is the price book of the running period; a new period
    /// is billed by that of the rules.
    ///
    /// # Errors
    ///
    /// [`QuoteError::CapReached`] if [`decide`](super::decide) would reject one of the lookups.
    pub fn quote(
        &self,
        running: Option<&PriceBook>,
        rules: &MeterRules,
        units: u64,
        now: Timestamp,
    ) -> Result<Quote, QuoteError> {
        let mut meter = *self;
        let at = meter.date(now);
        meter.end_period_if_due(at);
        let begun_book = meter.begin_period(at, rules);
        let book = begun_book
            .as_deref()
            .or(running)
            .unwrap_or(&rules.price_book);
        let free_left = rules.allowance.saturating_sub(meter.allowance_used);
        let resets_at = meter.period.map_or(at, |period| period.end);
        let remaining = meter.remaining(free_left);
        if units > remaining {
            return Err(QuoteError::CapReached {
                remaining,
                resets_at,
            });
        }
        let free = units.min(free_left);
        let charged_units = units - free;
        let lines_of = |paid_lookups| charge_lines(book, paid_lookups);
        let sum_before = sum_of_lines(&lines_of(meter.charged)?, book.currency())?;
        let lines = lines_of(
            meter
                .charged
                .checked_add(charged_units)
                .ok_or(QuoteError::Overflow)?,
        )?;
        let sum_after = sum_of_lines(&lines, book.currency())?;
        let minor = sum_after
            .minor
            .checked_sub(sum_before.minor)
            .ok_or(QuoteError::Overflow)?;
        let amount = Money {
            minor,
            currency: book.currency(),
        };
        Ok(Quote {
            units,
            free,
            charged: charged_units,
            amount,
            charges_before: sum_before,
            lines,
        })
    }

    /// Returns the number of lookups that the caps still allow in the running period, if the allowance covers `free_left`.
    fn remaining(&self, free_left: u64) -> u64 {
        let by_count = self.cap.map(|cap| cap.saturating_sub(self.billable));
        let by_money = self.spending.cap.map(|cap| {
            let charged_left = cap.max_charged_lookups.saturating_sub(self.charged);
            free_left.saturating_add(charged_left)
        });
        by_count
            .into_iter()
            .chain(by_money)
            .min()
            .unwrap_or(u64::MAX)
    }
}
