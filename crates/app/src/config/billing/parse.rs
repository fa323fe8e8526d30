//! Conversion of the configured price book to the price book of the domain.

use super::Billing;
use super::book::{BookTier, tier_key};
use crate::config::diagnostic::Diagnostic;
use voight_domain::billing::{
    Currency, DecimalError, Money, PriceBook, PriceBookError, PriceBookParts, PriceDrop, Tier,
    UnitPrice,
};

const BOOK: &str = "billing.price_book";

impl Billing {
    /// Returns the price book, or all its problems.
    pub(super) fn read(&self) -> Result<PriceBook, Vec<Diagnostic>> {
        let mut wrong = Vec::new();
        let currency = self
            .read_currency()
            .map_err(|remark| wrong.push(remark))
            .ok();
        let book = &self.price_book;
        for (member, is_missing) in [
            ("version", book.version.is_none()),
            ("mode", book.mode.is_none()),
        ] {
            if is_missing {
                let sentence = format!(
                    "{BOOK} has no {member}; a price book has a name, a version, a mode and tiers"
                );
                wrong.push(Diagnostic::new(BOOK, sentence));
            }
        }
        let tiers: Vec<_> = (0..)
            .zip(&book.tiers)
            .map(|(index, tier)| read_tier(index, tier, currency, &mut wrong))
            .collect();
        let faults =
            PriceBook::validation_errors(&book.name, currency.unwrap_or(Currency::USD), &tiers);
        wrong.extend(faults.iter().map(|fault| diagnostic(fault, tiers.len())));
        match (currency, book.version, book.mode) {
            (Some(currency), Some(version), Some(mode)) if wrong.is_empty() => {
                let parts = PriceBookParts {
                    name: book.name.clone(),
                    version,
                    currency,
                    mode: mode.into(),
                    tiers,
                };
                let book = PriceBook::new(parts)
                    .map_err(|fault| vec![Diagnostic::new(BOOK, fault.to_string())])?;
                let drops: Vec<_> = book.price_drops().iter().map(price_drop).collect();
                if drops.is_empty() {
                    Ok(book)
                } else {
                    Err(drops)
                }
            }
            _ => Err(wrong),
        }
    }

    fn read_currency(&self) -> Result<Currency, Diagnostic> {
        self.currency.parse().map_err(|error| {
            let sentence = format!("billing.currency is {:?}, but {error}", self.currency);
            Diagnostic::new("billing.currency", sentence)
        })
    }
}

/// Reads a tier. A price that cannot be parsed counts as zero, so that the other keys can be validated.
fn read_tier(
    index: usize,
    tier: &BookTier,
    currency: Option<Currency>,
    wrong: &mut Vec<Diagnostic>,
) -> Tier {
    let unit_price = unit_price(index, tier)
        .map_err(|remark| wrong.push(remark))
        .unwrap_or(UnitPrice::ZERO);
    let flat_fee = flat_fee(index, tier, currency)
        .map_err(|remark| wrong.push(remark))
        .unwrap_or_default();
    Tier {
        up_to: tier.up_to,
        unit_price,
        flat_fee,
    }
}

fn unit_price(index: usize, tier: &BookTier) -> Result<UnitPrice, Diagnostic> {
    let Some(text) = &tier.unit_price else {
        let sentence = format!(
            "tier {} has no unit_price; give one, for example \"0.002\"",
            index + 1
        );
        return Err(Diagnostic::new(tier_key(index), sentence));
    };
    amount(index, "unit_price", text, str::parse)
}

/// Parses the fee in minor units. Without a currency the number of decimal places is unknown, and the fee is not validated.
fn flat_fee(index: usize, tier: &BookTier, currency: Option<Currency>) -> Result<u64, Diagnostic> {
    let (Some(text), Some(currency)) = (&tier.flat_fee, currency) else {
        return Ok(0);
    };
    let fee = amount(index, "flat_fee", text, |text| Money::parse(text, currency))?;
    Ok(fee.minor.unsigned_abs())
}

/// Parses an amount that a client pays, which must not be negative.
fn amount<T>(
    index: usize,
    member: &str,
    text: &str,
    parse: impl FnOnce(&str) -> Result<T, DecimalError>,
) -> Result<T, Diagnostic> {
    let amount = if text.starts_with('-') {
        Err("it is negative; give 0 or more".to_owned())
    } else {
        parse(text).map_err(|error| error.to_string())
    };
    amount.map_err(|reason| {
        let sentence = format!(
            "the {member} of tier {} is {text:?}, but {reason}",
            index + 1
        );
        Diagnostic::new(format!("{}.{member}", tier_key(index)), sentence)
    })
}

/// Returns the diagnostic for a tier whose first lookup lowers the total.
fn price_drop(
    PriceDrop {
        tier,
        at,
        before,
        after,
        min_flat_fee,
    }: &PriceDrop,
) -> Diagnostic {
    let sentence = format!(
        "tier {tier} lowers the total of a period: {at} paid lookups cost {before}, {} cost {after}; set mode = \"graduated\", or a \
         flat_fee of tier {tier} of at least {min_flat_fee}",
        at.saturating_add(1)
    );
    Diagnostic::new(tier_key(tier.saturating_sub(1)), sentence)
}

/// Returns the diagnostic for an inconsistent book of `tiers` tiers.
fn diagnostic(fault: &PriceBookError, tiers: usize) -> Diagnostic {
    let up_to = |number: usize| format!("{}.up_to", tier_key(number.saturating_sub(1)));
    let key = match fault {
        PriceBookError::Empty => format!("{BOOK}.tiers"),
        PriceBookError::UnboundedTierNotLast(tier) | PriceBookError::TooLarge(tier) => {
            tier_key(tier.saturating_sub(1))
        }
        PriceBookError::LastTierBounded => up_to(tiers),
        PriceBookError::NotAscending { tier, .. } => up_to(*tier),
        PriceBookError::Name => format!("{BOOK}.name"),
    };
    Diagnostic::new(key, fault.to_string())
}
