//! Amounts of money.

use serde::{Deserialize, Serialize};
use std::fmt;
use utoipa::ToSchema;
use voight_domain::billing::{self, Currency};

/// Amount of money.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Money {
    /// Amount in minor units, for example cents; negative in favour of the client.
    pub minor: i64,
    /// Currency: three letters of ISO 4217.
    #[serde(with = "crate::text")]
    #[schema(value_type = String)]
    pub currency: Currency,
    /// Amount in major units, with all decimal places of the currency: `12.50`.
    #[schema(pattern = "^-?[0-9]+(?:\\.[0-9]+)?$")]
    pub formatted: String,
}

impl From<billing::Money> for Money {
    fn from(money: billing::Money) -> Self {
        Self {
            minor: money.minor,
            currency: money.currency,
            formatted: money.amount_text(),
        }
    }
}

impl From<&Money> for billing::Money {
    fn from(money: &Money) -> Self {
        Self {
            minor: money.minor,
            currency: money.currency,
        }
    }
}

/// Writes the amount with its currency: `12.50 USD`.
impl fmt::Display for Money {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.formatted, self.currency)
    }
}
