//! Price book as JSON: each member of its canonical bytes by name, and its digest.

use crate::admin::PriceMode;
use crate::text::{hex, parsed};
use serde::{Deserialize, Serialize};
use voight_domain::billing::{PriceBook, PriceBookDigest, PriceBookParts, Tier};
use voight_domain::ledger_audit::ListedBook;

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PriceBookJson {
    digest: String,
    name: String,
    version: u32,
    currency: String,
    mode: PriceMode,
    tiers: Vec<TierText>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct TierText {
    #[serde(skip_serializing_if = "Option::is_none")]
    up_to: Option<u64>,
    unit_price: String,
    flat_fee: u64,
}

impl From<&ListedBook> for PriceBookJson {
    fn from(ListedBook { digest, book }: &ListedBook) -> Self {
        let tiers = book.tiers().iter().map(|tier| TierText {
            up_to: tier.up_to,
            unit_price: tier.unit_price.to_string(),
            flat_fee: tier.flat_fee,
        });
        Self {
            digest: digest.to_string(),
            name: book.name().to_owned(),
            version: book.version(),
            currency: book.currency().to_string(),
            mode: book.mode().into(),
            tiers: tiers.collect(),
        }
    }
}

impl TryFrom<PriceBookJson> for ListedBook {
    type Error = String;

    fn try_from(text: PriceBookJson) -> Result<Self, Self::Error> {
        let tiers = text
            .tiers
            .into_iter()
            .map(Tier::try_from)
            .collect::<Result<_, _>>()?;
        let name = text.name;
        let version = text.version;
        let currency = parsed("currency", &text.currency)?;
        let book = PriceBook::new(PriceBookParts {
            name,
            version,
            currency,
            mode: text.mode.into(),
            tiers,
        });
        Ok(Self {
            digest: PriceBookDigest(hex("digest", &text.digest)?),
            book: book.map_err(|error| format!("the price book does not add up: {error}"))?,
        })
    }
}

impl TryFrom<TierText> for Tier {
    type Error = String;

    fn try_from(text: TierText) -> Result<Self, Self::Error> {
        let TierText {
            up_to,
            unit_price,
            flat_fee,
        } = text;
        Ok(Self {
            up_to,
            unit_price: parsed("unit_price", &unit_price)?,
            flat_fee,
        })
    }
}
