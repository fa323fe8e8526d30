//! Quotes: estimates of the cost of lookups.

use super::serde_fields::whole_number;
use crate::admin::{InvoiceLine, Money};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use voight_domain::metering;

/// Maximum number of lookups of a quote.
pub const QUOTE_UNITS_MAX: u64 = 1_000_000_000;

// The schema takes only a literal.
const _: () = assert!(QUOTE_UNITS_MAX == 1_000_000_000);

/// Lookups to quote.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct QuoteRequest {
    /// Context that this key may use.
    pub context_id: String,
    /// Number of lookups.
    #[serde(deserialize_with = "whole_number")]
    #[schema(minimum = 1, maximum = 1_000_000_000)]
    pub units: u64,
}

/// Estimate of the cost of lookups.
#[derive(Debug, Serialize, ToSchema)]
pub struct Quote {
    /// Always `false`: a quote is an estimate. It reserves neither lookups nor their price.
    pub binding: bool,
    /// Number of lookups.
    pub units: u64,
    /// Lookups that the free allowance covers.
    pub free: u64,
    /// Lookups beyond the free allowance.
    pub charged: u64,
    /// Increase of the charges of the period.
    pub amount: Money,
    /// Charges of the period before the lookups.
    pub charges_before: Money,
    /// Charge lines of the period after the lookups.
    pub lines: Vec<InvoiceLine>,
}

impl From<metering::Quote> for Quote {
    fn from(quote: metering::Quote) -> Self {
        Self {
            binding: false,
            units: quote.units,
            free: quote.free,
            charged: quote.charged,
            amount: quote.amount.into(),
            charges_before: quote.charges_before.into(),
            lines: quote.lines.iter().map(InvoiceLine::from).collect(),
        }
    }
}
