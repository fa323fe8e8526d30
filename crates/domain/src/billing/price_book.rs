//! Price books.

use super::{Currency, UnitPrice};

/// Pricing mode of the tiers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PricingMode {
    /// Each lookup has the price of its own tier; the total never falls as usage grows.
    Graduated,
    /// All lookups have the price of the tier that the last one reaches.
    ///
    /// The total may fall at a tier boundary ([`PriceBook::price_drops`]). A configuration with such a price book is rejected; a
    /// store may contain one of an earlier version.
    Volume,
}

/// Range of the paid lookups of a period.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tier {
    /// The last lookup of the range, counted from 1; `None` for the last tier, which has no end.
    pub up_to: Option<u64>,
    /// The price of each lookup.
    pub unit_price: UnitPrice,
    /// Fee in minor units that is added once if a lookup reaches this tier.
    pub flat_fee: u64,
}

/// Parts of a price book, which may be invalid.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PriceBookParts {
    /// The name, which all versions of a price book share.
    pub name: String,
    /// The version among the price books with this name.
    pub version: u32,
    /// The currency of the prices.
    pub currency: Currency,
    /// The pricing mode.
    pub mode: PricingMode,
    /// The tiers, in order; the last has no end.
    pub tiers: Vec<Tier>,
}

/// Prices of lookups. Only a valid price book can be constructed, so a user of the type need not validate it.
///
/// ```
/// use voight_domain::billing::{Currency, PriceBook};
///
/// let book = PriceBook::example(Currency::USD);
/// // 100,000 lookups at 0.002 and 50,000 at 0.001.
/// assert_eq!(book.price(150_000)?.amount_text(), "250.00");
/// # Ok::<(), voight_domain::billing::AmountOverflow>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PriceBook(PriceBookParts);

/// Validation error of a price book. Tiers are counted from 1.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PriceBookError {
    /// The price book has no tier.
    #[error("a price book needs at least one tier")]
    Empty,
    /// A tier before the last one has no end.
    #[error(
        "tier {0} has no up_to, so the tiers after it are never reached; only the last tier has none"
    )]
    UnboundedTierNotLast(usize),
    /// The last tier has an end.
    #[error("the last tier has an up_to, so lookups beyond it have no price; leave it out there")]
    LastTierBounded,
    /// A tier does not end after the tier before it.
    #[error(
        "tier {tier} ends at {up_to}, which is not after {before}, where the tier before it ends"
    )]
    NotAscending {
        /// The number of the tier.
        tier: usize,
        /// The end of the tier.
        up_to: u64,
        /// The end of the tier before it; 0 for the first tier.
        before: u64,
    },
    /// A possible amount is too large.
    #[error("tier {0} can cost more than can be counted; give it a lower price or an earlier end")]
    TooLarge(usize),
    /// The name is empty, longer than 64 characters, or on more than one line.
    #[error(
        "the name of a price book has 1 to 64 characters, none of them a line end or another control character"
    )]
    Name,
}

impl PriceBook {
    /// Creates a price book from valid parts.
    pub fn new(parts: PriceBookParts) -> Result<Self, PriceBookError> {
        match Self::validation_errors(&parts.name, parts.currency, &parts.tiers)
            .into_iter()
            .next()
        {
            Some(fault) => Err(fault),
            None => Ok(Self(parts)),
        }
    }

    /// Returns all validation errors of the parts of a price book; empty if they are valid.
    pub fn validation_errors(
        name: &str,
        currency: Currency,
        tiers: &[Tier],
    ) -> Vec<PriceBookError> {
        let is_valid_name =
            (1..=64).contains(&name.chars().count()) && !name.contains(char::is_control);
        let mut faults: Vec<_> = (!is_valid_name)
            .then_some(PriceBookError::Name)
            .into_iter()
            .collect();
        faults.extend(bounds(tiers));
        faults.extend(amounts(currency, tiers));
        faults
    }

    /// Returns the default price book: an example, to be replaced. USD; up to 100,000 paid lookups of a period at
    /// 0.002, up to 1,000,000 at 0.001, beyond at 0.0005.
    pub fn example(currency: Currency) -> Self {
        const MILLIONTH: u64 = 1_000_000;
        let tier = |up_to, pico| Tier {
            up_to,
            unit_price: UnitPrice::from_pico(pico),
            flat_fee: 0,
        };
        let tiers = vec![
            tier(Some(100_000), 2000 * MILLIONTH),
            tier(Some(1_000_000), 1000 * MILLIONTH),
            tier(None, 500 * MILLIONTH),
        ];
        let name = "example".to_owned();
        let mode = PricingMode::Graduated;
        Self(PriceBookParts {
            name,
            version: 1,
            currency,
            mode,
            tiers,
        })
    }

    /// Returns the name.
    pub fn name(&self) -> &str {
        &self.0.name
    }

    /// Returns the version among the price books with this name.
    pub const fn version(&self) -> u32 {
        self.0.version
    }

    /// Returns the currency.
    pub const fn currency(&self) -> Currency {
        self.0.currency
    }

    /// Returns the pricing mode.
    pub const fn mode(&self) -> PricingMode {
        self.0.mode
    }

    /// Returns the tiers, in order; the last has no end.
    pub fn tiers(&self) -> &[Tier] {
        &self.0.tiers
    }
}

/// Validates the ends of the tiers: each after the one before, and only the last without an end.
fn bounds(tiers: &[Tier]) -> Vec<PriceBookError> {
    let mut faults = Vec::new();
    let mut previous_up_to = 0;
    for (number, tier) in (1..).zip(tiers) {
        match tier.up_to {
            None if number < tiers.len() => {
                faults.push(PriceBookError::UnboundedTierNotLast(number));
            }
            None => {}
            Some(up_to) if up_to <= previous_up_to => {
                faults.push(PriceBookError::NotAscending {
                    tier: number,
                    up_to,
                    before: previous_up_to,
                });
            }
            Some(up_to) => previous_up_to = up_to,
        }
    }
    match tiers.last() {
        None => faults.push(PriceBookError::Empty),
        Some(last) => faults.extend(last.up_to.map(|_| PriceBookError::LastTierBounded)),
    }
    faults
}

/// Validates the amounts of all bounded tiers. The open tier's end is out of reach in practice; its amounts are
/// verified when they are rated.
fn amounts(currency: Currency, tiers: &[Tier]) -> Vec<PriceBookError> {
    let tier_cost = |tier: &Tier| {
        let amount = tier
            .unit_price
            .cost_of(tier.up_to.unwrap_or(1), currency.decimal_places())?;
        amount.checked_add(i64::try_from(tier.flat_fee).ok()?)
    };
    let tiers = (1..).zip(tiers);
    tiers
        .filter(|(_, tier)| tier_cost(tier).is_none())
        .map(|(number, _)| PriceBookError::TooLarge(number))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::billing::PriceDrop;

    fn usd() -> Currency {
        "USD".parse().unwrap()
    }

    fn tier(up_to: impl Into<Option<u64>>, price: &str) -> Tier {
        Tier {
            up_to: up_to.into(),
            unit_price: price.parse().unwrap(),
            flat_fee: 0,
        }
    }

    fn parts(name: &str, mode: PricingMode, tiers: &[Tier]) -> PriceBookParts {
        PriceBookParts {
            name: name.to_owned(),
            version: 1,
            currency: usd(),
            mode,
            tiers: tiers.to_vec(),
        }
    }

    fn book(mode: PricingMode, tiers: &[Tier]) -> Result<PriceBook, PriceBookError> {
        PriceBook::new(parts("test", mode, tiers))
    }

    #[test]
    fn inconsistent_tier_is_named() {
        let error_for = |tiers: &[Tier]| book(PricingMode::Graduated, tiers).unwrap_err();
        assert_eq!(error_for(&[]), PriceBookError::Empty);
        assert_eq!(
            error_for(&[tier(None, "1"), tier(None, "1")]),
            PriceBookError::UnboundedTierNotLast(1)
        );
        assert_eq!(error_for(&[tier(5, "1")]), PriceBookError::LastTierBounded);
        let same = PriceBookError::NotAscending {
            tier: 2,
            up_to: 5,
            before: 5,
        };
        assert_eq!(
            error_for(&[tier(5, "1"), tier(5, "1"), tier(None, "1")]),
            same
        );
        let zero = PriceBookError::NotAscending {
            tier: 1,
            up_to: 0,
            before: 0,
        };
        assert_eq!(error_for(&[tier(0, "1"), tier(None, "1")]), zero);
        assert_eq!(
            error_for(&[tier(u64::MAX, "1000"), tier(None, "1")]),
            PriceBookError::TooLarge(1)
        );
        for name in ["", "a\nb"] {
            let invalid_parts = parts(name, PricingMode::Volume, &[tier(None, "1")]);
            assert_eq!(PriceBook::new(invalid_parts), Err(PriceBookError::Name));
        }
    }

    #[test]
    fn price_book_errors_are_reported_together() {
        let tiers = [
            tier(5, "1"),
            tier(None, "1"),
            tier(3, "1"),
            tier(u64::MAX, "1000"),
            tier(7, "1"),
        ];
        let expected_errors = [
            PriceBookError::Name,
            PriceBookError::UnboundedTierNotLast(2),
            PriceBookError::NotAscending {
                tier: 3,
                up_to: 3,
                before: 5,
            },
            PriceBookError::NotAscending {
                tier: 5,
                up_to: 7,
                before: u64::MAX,
            },
            PriceBookError::LastTierBounded,
            PriceBookError::TooLarge(4),
        ];
        assert_eq!(
            PriceBook::validation_errors(&"x".repeat(65), usd(), &tiers),
            expected_errors
        );
    }

    #[test]
    fn price_drops_name_tier_totals_and_fee() {
        let tiers = [
            tier(100, "1"),
            tier(200, "0.5"),
            tier(300, "0.5"),
            tier(None, "0.25"),
        ];
        let volume_book = book(PricingMode::Volume, &tiers).unwrap();
        let drops = volume_book.price_drops();
        let facts = |drop: &PriceDrop| {
            (
                drop.tier,
                drop.at,
                drop.before.minor,
                drop.after.minor,
                drop.min_flat_fee.minor,
            )
        };
        // With a fee of 49.50 in tier 2, 200 lookups cost 149.50, so tier 3 needs 49.00 and tier 4 what both demand.
        assert_eq!(
            drops.iter().map(facts).collect::<Vec<_>>(),
            [
                (2, 100, 10_000, 5_050, 4_950),
                (4, 300, 15_000, 7_525, 12_375)
            ]
        );
        assert_eq!(
            book(PricingMode::Graduated, &tiers).unwrap().price_drops(),
            []
        );
    }

    #[test]
    fn example_price_book_is_as_documented() {
        let example = PriceBook::example(usd());
        let prices: Vec<_> = example
            .tiers()
            .iter()
            .map(|tier| (tier.up_to, tier.unit_price.to_string()))
            .collect();
        let expected_tiers = [
            (Some(100_000), "0.002"),
            (Some(1_000_000), "0.001"),
            (None, "0.0005"),
        ];
        assert_eq!(
            prices,
            expected_tiers.map(|(up_to, price)| (up_to, price.to_owned()))
        );
        assert_eq!(
            PriceBook::new(parts("example", PricingMode::Graduated, example.tiers())),
            Ok(example)
        );
    }
}
