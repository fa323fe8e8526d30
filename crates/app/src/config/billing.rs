//! `[billing]`: currency, price book, billing periods, and retention of the addresses behind ledger rows.

mod book;
mod parse;

use super::diagnostic::Diagnostic;
use book::PriceBookConfig;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use voight_domain::billing::{Currency, PriceBook};
use voight_domain::metering::PeriodStartDay;

/// Currency, price book, billing periods, and retention of the addresses behind ledger rows.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Billing {
    /// Currency of all amounts, as its ISO 4217 code of three capital letters. The prices of the built-in price book are in it, too.
    #[schemars(length(min = 3, max = 3))]
    pub(crate) currency: String,
    /// Day of the month on which a billing period begins; in a shorter month its last day.
    #[schemars(range(min = 1, max = 31), extend("x-unit" = "day of the month"))]
    period_start_day: u8,
    /// Retention of the addresses behind ledger rows. Afterwards the address of a row cannot be determined any more.
    #[schemars(range(min = 1), extend("x-unit" = "days"))]
    pub(super) address_retention_days: u16,
    /// Price book. It is set as a whole: a configuration that sets one of its keys must set name, version, mode and tiers.
    price_book: PriceBookConfig,
}

impl Default for Billing {
    fn default() -> Self {
        let example = PriceBook::example(Currency::USD);
        Self {
            currency: example.currency().to_string(),
            period_start_day: 1,
            address_retention_days: 90,
            price_book: PriceBookConfig::from(&example),
        }
    }
}

impl Billing {
    /// Returns the effective price book.
    pub(crate) fn price_book(&self) -> PriceBook {
        // An inconsistent price book is rejected when the configuration is loaded.
        self.read()
            .unwrap_or_else(|_| PriceBook::example(Currency::USD))
    }

    /// Returns `true` if the price book is the built-in example, which no operator has chosen.
    pub(crate) fn is_example(&self) -> bool {
        let book = self.price_book();
        book == PriceBook::example(book.currency())
    }

    /// Returns the day of the month on which a billing period begins.
    pub(crate) fn period_start_day(&self) -> PeriodStartDay {
        // An invalid day is rejected when the configuration is loaded.
        PeriodStartDay::try_from(self.period_start_day).unwrap_or_default()
    }

    pub(super) fn contradictions(&self) -> Vec<Diagnostic> {
        self.read().err().unwrap_or_default()
    }

    pub(super) fn notes(&self) -> Vec<Diagnostic> {
        let sentence = "the price book is the built-in example; set billing.price_book before a client is billed";
        self.is_example()
            .then(|| Diagnostic::new("billing.price_book", sentence))
            .into_iter()
            .collect()
    }
}

#[cfg(test)]
#[path = "billing/tests.rs"]
mod tests;

#[cfg(test)]
#[cfg(feature = "server")]
#[path = "billing/cost_tests.rs"]
mod cost_tests;
