//! Price book as configured.

use crate::config::enum_value;
use crate::config::key::element;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use voight_domain::billing::{PriceBook, PricingMode, Tier};

/// Price book as configured. It has no defaults: an operator who sets one key sets all of them.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(super) struct PriceBookConfig {
    /// Name of the price book on invoices.
    #[schemars(length(min = 1, max = 64))]
    pub(super) name: String,
    /// Version of the price book among those with its name.
    #[schemars(with = "u32")]
    pub(super) version: Option<u32>,
    /// Pricing mode of the tiers.
    #[serde(deserialize_with = "enum_value::optional")]
    #[schemars(with = "BookMode")]
    pub(super) mode: Option<BookMode>,
    /// Tier of the price book. Tiers are in ascending order, and amounts are in major units of the currency.
    pub(super) tiers: Vec<BookTier>,
}

/// Pricing mode of tiers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum BookMode {
    /// Each lookup has the price of its own tier.
    Graduated,
    /// All lookups have the price of the tier that the last one reaches.
    Volume,
}

/// Tier of a price book. Amounts are text in major units of the currency, so that no digit is lost.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(super) struct BookTier {
    /// Last paid lookup of a period in this tier, counted from 1. The last tier has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u64", range(min = 1), extend("x-unit" = "lookups"))]
    pub(super) up_to: Option<u64>,
    /// Price of one lookup: a decimal number with at most 12 decimal places.
    #[schemars(with = "String")]
    pub(super) unit_price: Option<String>,
    /// Fee added once when a lookup reaches this tier: a decimal number with at most the decimal places of the currency.
    #[schemars(with = "String")]
    pub(super) flat_fee: Option<String>,
}

/// Returns the configuration key of a tier, counted from 0.
pub(super) fn tier_key(index: usize) -> String {
    element("billing.price_book.tiers", index)
}

impl From<BookMode> for PricingMode {
    fn from(mode: BookMode) -> Self {
        match mode {
            BookMode::Graduated => Self::Graduated,
            BookMode::Volume => Self::Volume,
        }
    }
}

/// Converts the built-in price book, which has no fees, to its configured form.
impl From<&PriceBook> for PriceBookConfig {
    fn from(book: &PriceBook) -> Self {
        let mode = match book.mode() {
            PricingMode::Graduated => BookMode::Graduated,
            PricingMode::Volume => BookMode::Volume,
        };
        let tier = |tier: &Tier| BookTier {
            up_to: tier.up_to,
            unit_price: Some(tier.unit_price.to_string()),
            flat_fee: Some("0".into()),
        };
        let tiers = book.tiers().iter().map(tier).collect();
        Self {
            name: book.name().to_owned(),
            version: Some(book.version()),
            mode: Some(mode),
            tiers,
        }
    }
}
