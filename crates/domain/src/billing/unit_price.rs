//! Price of one lookup.

use super::decimal::{self, DecimalError};
use std::fmt;
use std::str::FromStr;

/// Decimal places of a unit price.
const PLACES: u32 = 12;

/// Price of one lookup in major units of a currency (dollars, not cents), with twelve decimal places.
///
/// ```
/// use voight_domain::billing::UnitPrice;
///
/// let price: UnitPrice = "0.002".parse()?;
/// assert_eq!(price.as_pico(), 2_000_000_000);
/// assert!("0.0000000000001".parse::<UnitPrice>().is_err());
/// # Ok::<(), voight_domain::billing::DecimalError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct UnitPrice(u64);

impl UnitPrice {
    /// Price of a free lookup.
    pub const ZERO: Self = Self(0);

    /// Creates a price from units of 10^-12 of a major unit.
    pub const fn from_pico(pico: u64) -> Self {
        Self(pico)
    }

    /// Returns the price in units of 10^-12 of a major unit.
    pub const fn as_pico(self) -> u64 {
        self.0
    }

    /// Returns the cost of `quantity` lookups in units of the `places`-th decimal place.
    ///
    /// The cost is rounded once to whole units, half away from zero. Returns `None` on overflow.
    pub(super) fn cost_of(self, quantity: u64, places: u32) -> Option<i64> {
        let exact = u128::from(self.0) * u128::from(quantity);
        let unit = 10_u128.checked_pow(PLACES.checked_sub(places)?)?;
        let rounded_cost = exact / unit + u128::from(exact % unit * 2 >= unit);
        i64::try_from(rounded_cost).ok()
    }
}

/// Parses a decimal number with at most twelve decimal places.
impl FromStr for UnitPrice {
    type Err = DecimalError;

    fn from_str(text: &str) -> Result<Self, DecimalError> {
        decimal::parse(text, PLACES).map(Self)
    }
}

impl fmt::Display for UnitPrice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&decimal::format(self.0, PLACES, 0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cost_rounds_once_half_away_from_zero() {
        let price: UnitPrice = "0.0005".parse().unwrap();
        let cents = [9, 10, 29, 30, 49].map(|quantity| price.cost_of(quantity, 2));
        assert_eq!(cents, [Some(0), Some(1), Some(1), Some(2), Some(2)]);
        assert_eq!("0.5".parse::<UnitPrice>().unwrap().cost_of(1, 0), Some(1));
        assert_eq!(
            "0.499999999999".parse::<UnitPrice>().unwrap().cost_of(1, 0),
            Some(0)
        );
    }

    #[test]
    fn overflowing_cost_is_none() {
        assert_eq!(UnitPrice::from_pico(u64::MAX).cost_of(u64::MAX, 2), None);
        assert_eq!(UnitPrice::ZERO.cost_of(u64::MAX, 2), Some(0));
    }

    #[test]
    fn unit_price_prints_no_trailing_zeros() {
        for text in ["0.002", "1", "0", "0.000000000001", "12.34"] {
            assert_eq!(text.parse::<UnitPrice>().unwrap().to_string(), text);
        }
        assert_eq!(
            "0.0000000000001".parse::<UnitPrice>(),
            Err(DecimalError::Places(12))
        );
    }
}
