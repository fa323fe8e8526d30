//! Metering rules.

use super::PeriodStartDay;
use crate::billing::{Currency, PriceBook};
use std::sync::Arc;

/// Metering rules that an operator configures.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MeterRules {
    /// Number of free lookups of a client.
    pub allowance: u64,
    /// Reset of the allowance.
    pub reset: AllowanceReset,
    /// The day of the month on which a period begins.
    pub period_start_day: PeriodStartDay,
    /// The price book of periods that begin from now on.
    pub price_book: Arc<PriceBook>,
}

/// Reset of the free allowance.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AllowanceReset {
    /// No reset: the allowance is granted once to each client.
    Never,
    /// Reset in every period.
    Monthly,
}

impl Default for MeterRules {
    /// Returns the default rules: 1,000 free lookups for each client, calendar months, example prices.
    ///
    /// The allowance is that of the requirement, section 8.
    fn default() -> Self {
        let book = Arc::new(PriceBook::example(Currency::USD));
        Self {
            allowance: 1000,
            reset: AllowanceReset::Never,
            period_start_day: PeriodStartDay::default(),
            price_book: book,
        }
    }
}
