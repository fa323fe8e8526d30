//! Price books, as shown on invoices.

use crate::wire_enum::wire_enum;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use voight_domain::billing;

/// Price book of a period.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PriceBook {
    /// Name of the price book.
    pub name: String,
    /// Version among the price books of this name.
    pub version: u32,
    /// Currency of the prices.
    pub currency: String,
    /// Application of the tiers.
    pub mode: PriceMode,
    /// Digest of the canonical bytes. The period marker in the ledger contains the same digest.
    #[schema(pattern = "^[0-9a-f]{64}$")]
    pub digest: String,
    /// `true` for the built-in example price book, which the operator is expected to replace.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_example: bool,
}

wire_enum! {
    /// Application of the tiers of a price book.
    PriceMode = billing::PricingMode, "snake_case" {
        /// Each lookup has the price of its own tier.
        Graduated,
        /// All lookups have the price of the tier that the last lookup reaches.
        Volume,
    }
}

impl From<&billing::PriceBook> for PriceBook {
    fn from(book: &billing::PriceBook) -> Self {
        Self {
            name: book.name().to_owned(),
            version: book.version(),
            currency: book.currency().to_string(),
            mode: book.mode().into(),
            digest: book.digest().to_string(),
            is_example: *book == billing::PriceBook::example(book.currency()),
        }
    }
}
