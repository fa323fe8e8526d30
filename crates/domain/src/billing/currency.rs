//! Currencies.

use std::fmt;
use std::str::FromStr;

/// Currency of ISO 4217 with defined minor units.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Currency(iso_currency::Currency);

/// Error returned for a text that is not a usable currency.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum CurrencyError {
    /// The code is not in ISO 4217.
    #[error("it is not a currency of ISO 4217; write its three capital letters, for example USD")]
    Unknown,
    /// The code is that of a metal, bond or test, which has no minor units.
    #[error("it has no minor units, so nothing can be paid in it; write a currency such as USD")]
    NoMinorUnits,
}

impl Currency {
    /// US dollar, the currency of the example price book.
    pub const USD: Self = Self(iso_currency::Currency::USD);

    /// Returns the code of three letters.
    pub fn code(self) -> &'static str {
        self.0.code()
    }

    /// Returns the number of decimal places of the smallest unit: 2 for cents, 0 for yen.
    pub fn decimal_places(self) -> u32 {
        u32::from(self.0.exponent().unwrap_or_default())
    }
}

impl FromStr for Currency {
    type Err = CurrencyError;

    fn from_str(text: &str) -> Result<Self, CurrencyError> {
        let currency = iso_currency::Currency::from_code(text).ok_or(CurrencyError::Unknown)?;
        currency
            .exponent()
            .map(|_| Self(currency))
            .ok_or(CurrencyError::NoMinorUnits)
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
    fn currency_has_its_minor_units() {
        for (code, places) in [("USD", 2), ("EUR", 2), ("JPY", 0), ("KWD", 3), ("CLF", 4)] {
            let currency: Currency = code.parse().unwrap();
            assert_eq!((currency.code(), currency.decimal_places()), (code, places));
        }
    }

    #[test]
    fn unsupported_currencies_are_rejected() {
        for code in ["", "usd", "US", "ABC", "USDX"] {
            assert_eq!(
                code.parse::<Currency>(),
                Err(CurrencyError::Unknown),
                "{code}"
            );
        }
        assert_eq!("XAU".parse::<Currency>(), Err(CurrencyError::NoMinorUnits));
    }
}
