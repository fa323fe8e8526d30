//! Amounts of money.

use serde::{Deserialize, Serialize};
use std::fmt;
use utoipa::ToSchema;
use voight_domain::billing;

/// An amount of money.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Money {
    /// In minor units, for example cents; below zero where the client is owed.
    pub minor: i64,
    /// Of what, by the three letters of ISO 4217.
    pub currency: String,
    /// In major units, with all decimal places of the currency: `12.50`.
    pub display: String,
}

impl From<billing::Money> for Money {
    fn from(money: billing::Money) -> Self {
        Self { minor: money.minor, currency: money.currency.to_string(), display: money.amount_text() }
    }
}

/// `12.50 USD`.
impl fmt::Display for Money {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.display, self.currency)
    }
}
