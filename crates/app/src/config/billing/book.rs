//! A price book as it is written.

use crate::config::key::element;
use crate::config::word;
use serde::{Deserialize, Serialize};
use voight_domain::billing::{PriceBook, PricingMode, Tier};

/// A price book. Nothing has a default: who sets one decides all of it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct PriceBookConfig {
    /// What it is called on invoices.
    pub(super) name: String,
    /// Which of the books of this name it is.
    pub(super) version: Option<u32>,
    /// How its tiers apply.
    #[serde(deserialize_with = "word::optional")]
    pub(super) mode: Option<BookMode>,
    /// Its tiers, in order.
    pub(super) tiers: Vec<BookTier>,
}

/// How tiers apply.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum BookMode {
    /// Each lookup costs what its own tier says.
    Graduated,
    /// All lookups cost what the tier says that the last one reaches.
    Volume,
}

/// A tier. Amounts are text, in major units of the currency, so that none of their digits is lost.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct BookTier {
    /// The last paid lookup of a period that is in it, counted from 1; none for the last tier.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) up_to: Option<u64>,
    /// What each lookup costs.
    pub(super) unit_price: Option<String>,
    /// What is added once if a lookup reaches this tier; nothing unless said.
    pub(super) flat_fee: Option<String>,
}

/// The key of a tier, counted from 0.
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

/// The built-in book as it would be written; it has no fees.
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
        Self { name: book.name().to_owned(), version: Some(book.version()), mode: Some(mode), tiers }
    }
}
