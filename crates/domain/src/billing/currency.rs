//! Currencies.

use std::fmt;
use std::str::FromStr;

/// A currency of ISO 4217 that has minor units, or is its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Currency(iso_currency::Currency);

/// Why text names no currency.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum CurrencyError {
    /// It is not in the list.
    #[error("it is no currency of ISO 4217; write its three capital letters, for example USD")]
    Unknown,
    /// It is in the list for metals, bonds or tests, which nobody pays in.
    #[error("it has no minor units, so nothing can be paid in it; write a currency such as USD")]
    NoMinorUnits,
}

impl Currency {
    /// The dollar of the United States, in which the example price book is written.
    pub const USD: Self = Self(iso_currency::Currency::USD);

    /// The three letters.
    pub fn code(self) -> &'static str {
        self.0.code()
    }

    /// Decimal places of its smallest unit: 2 for cents, 0 for yen.
    pub fn decimal_places(self) -> u32 {
        u32::from(self.0.exponent().unwrap_or_default())
    }
}

impl FromStr for Currency {
    type Err = CurrencyError;

    fn from_str(text: &str) -> Result<Self, CurrencyError> {
        let known = iso_currency::Currency::from_code(text).ok_or(CurrencyError::Unknown)?;
        known.exponent().map(|_| Self(known)).ok_or(CurrencyError::NoMinorUnits)
    }
}

impl fmt::Display for Currency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_currency_knows_its_minor_units() {
        for (code, places) in [("USD", 2), ("EUR", 2), ("JPY", 0), ("KWD", 3), ("CLF", 4)] {
            let currency: Currency = code.parse().unwrap();
            assert_eq!((currency.code(), currency.decimal_places()), (code, places));
        }
    }

    #[test]
    fn what_nobody_pays_in_is_refused() {
        for code in ["", "usd", "US", "ABC", "USDX"] {
            assert_eq!(code.parse::<Currency>(), Err(CurrencyError::Unknown), "{code}");
        }
        assert_eq!("XAU".parse::<Currency>(), Err(CurrencyError::NoMinorUnits));
    }
}
