//! Limits that a client or an operator sets on a meter.

use super::{AlertKind, Budget, MeterState, MoneyCap};
use crate::billing::{Currency, Money, PriceBook};

/// Limit to set; `None` clears it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Limit {
    /// The hard cap in billable lookups per period.
    Lookups(Option<u64>),
    /// The hard cap in money per period.
    Money(Option<Money>),
    /// The budget, in money per period.
    Budget(Option<Money>),
}

/// Error of an invalid limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum LimitError {
    /// The currency differs from that of the running period.
    #[error(
        "the running period is billed in {billed}; write the amount in {billed}, or wait for the next period"
    )]
    Currency {
        /// The currency of the running period.
        billed: Currency,
    },
    /// A negative cap, or a budget that is not positive.
    #[error("a cap is zero or more, and a budget is more than zero; remove one with --clear")]
    Amount,
}

impl MeterState {
    /// Returns the meter with this limit, in a period that `book` bills. A changed budget or
    /// cap raises its alerts again.
    pub fn with_limit(mut self, limit: Limit, book: &PriceBook) -> Result<Self, LimitError> {
        match limit {
            Limit::Lookups(cap) => {
                if cap != self.cap {
                    self.alerts = self.alerts.without(AlertKind::OF_CAP);
                }
                self.cap = cap;
            }
            Limit::Money(amount) => {
                let cap = amount
                    .map(|amount| validate(amount, 0, book).map(|()| MoneyCap::new(amount, book)))
                    .transpose()?;
                if cap != self.spending.cap {
                    self.alerts = self.alerts.without(AlertKind::OF_CAP);
                }
                self.spending.cap = cap;
            }
            Limit::Budget(amount) => {
                let budget = amount
                    .map(|amount| validate(amount, 1, book).map(|()| Budget::new(amount, book)))
                    .transpose()?;
                if budget != self.spending.budget {
                    self.alerts = self.alerts.without(AlertKind::OF_BUDGET);
                }
                self.spending.budget = budget;
            }
        }
        Ok(self)
    }
}

/// Rejects an amount in another currency than that of the price book, or below `least` minor units.
fn validate(amount: Money, least: i64, book: &PriceBook) -> Result<(), LimitError> {
    if amount.currency != book.currency() {
        return Err(LimitError::Currency {
            billed: book.currency(),
        });
    }
    if amount.minor < least {
        Err(LimitError::Amount)
    } else {
        Ok(())
    }
}
