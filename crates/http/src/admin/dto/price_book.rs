//! Price books, as invoices name them.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use voight_domain::billing;

/// The price book of a period.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PriceBook {
    /// What it is called.
    pub name: String,
    /// Which of the books of this name it is.
    pub version: u32,
    /// What is paid in.
    pub currency: String,
    /// How its tiers apply.
    pub mode: PriceMode,
    /// The digest of its canonical bytes, which the period's marker in the ledger holds too.
    pub digest: String,
    /// Whether it is the built-in example, which is there to be replaced.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub example: bool,
}

/// How the tiers of a price book apply.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum PriceMode {
    /// Each lookup costs what its own tier says.
    Graduated,
    /// All lookups cost what the tier says that the last one reaches.
    Volume,
}

impl From<&billing::PriceBook> for PriceBook {
    fn from(book: &billing::PriceBook) -> Self {
        Self {
            name: book.name().to_owned(),
            version: book.version(),
            currency: book.currency().to_string(),
            mode: match book.mode() {
                billing::PricingMode::Graduated => PriceMode::Graduated,
                billing::PricingMode::Volume => PriceMode::Volume,
            },
            digest: book.digest().to_string(),
            example: *book == billing::PriceBook::example(book.currency()),
        }
    }
}
