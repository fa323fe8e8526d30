//! Amounts of money.

use super::Currency;
use super::decimal::{self, DecimalError};
use crate::codec::{DecodeError, Decoder, Encoder};
use std::fmt;

/// Error of an amount that is too large for an integer of minor units.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the amount is too large to be counted")]
pub struct AmountOverflow;

/// Amount of money in whole minor units. Negative for an amount owed to the client.
///
/// ```
/// use voight_domain::billing::{Currency, Money};
///
/// let credit = Money::parse("-0.5", Currency::USD)?;
/// assert_eq!(credit.minor, -50);
/// assert_eq!(credit.amount_text(), "-0.50");
/// # Ok::<(), voight_domain::billing::DecimalError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Money {
    /// Minor units, for example cents.
    pub minor: i64,
    /// The currency of the amount.
    pub currency: Currency,
}

impl Money {
    /// Returns an amount of zero.
    pub const fn zero(currency: Currency) -> Self {
        Self { minor: 0, currency }
    }

    /// Parses an amount, for example `12.50`; a leading `-` makes it negative.
    pub fn parse(text: &str, currency: Currency) -> Result<Self, DecimalError> {
        let (sign, digits) = text
            .strip_prefix('-')
            .map_or((1, text), |digits| (-1, digits));
        let minor = i64::try_from(decimal::parse(digits, currency.decimal_places())?)
            .map_err(|_| DecimalError::TooLarge)?;
        Ok(Self {
            minor: sign * minor,
            currency,
        })
    }

    /// Returns the amount without its currency, with all decimal places: `-0.05`.
    pub fn amount_text(&self) -> String {
        let places = self.currency.decimal_places();
        let sign = if self.minor < 0 { "-" } else { "" };
        format!(
            "{sign}{}",
            decimal::format(self.minor.unsigned_abs(), places, places)
        )
    }

    /// Returns the sum; an error if it overflows.
    pub fn checked_add(self, other: Self) -> Result<Self, AmountOverflow> {
        debug_assert!(
            self.currency == other.currency,
            "two currencies have no sum"
        );
        let minor = self.minor.checked_add(other.minor).ok_or(AmountOverflow)?;
        Ok(Self { minor, ..self })
    }

    /// Appends the amount to a record.
    pub fn encode(&self, out: &mut Encoder) {
        out.int(self.minor).str(self.currency.code());
    }

    /// Reads the amount from a record.
    pub fn decode(input: &mut Decoder<'_>) -> Result<Self, DecodeError> {
        Ok(Self {
            minor: input.int()?,
            currency: input.parsed("a currency")?,
        })
    }
}

/// Formats the amount with all decimal places of the currency, then the code: `-0.05 USD`.
impl fmt::Display for Money {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.amount_text(), self.currency)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn money(minor: i64, code: &str) -> Money {
        Money {
            minor,
            currency: code.parse().unwrap(),
        }
    }

    #[test]
    fn amount_prints_all_decimal_places() {
        let amounts = [
            (20_000, "USD"),
            (-5, "USD"),
            (0, "EUR"),
            (7, "JPY"),
            (1, "KWD"),
            (i64::MIN, "USD"),
        ];
        let texts = amounts.map(|(minor, code)| money(minor, code).to_string());
        let expected_texts = [
            "200.00 USD",
            "-0.05 USD",
            "0.00 EUR",
            "7 JPY",
            "0.001 KWD",
            "-92233720368547758.08 USD",
        ];
        assert_eq!(texts, expected_texts);
    }

    #[test]
    fn amount_is_parsed_as_formatted() {
        let usd = "USD".parse().unwrap();
        assert_eq!(Money::parse("-12.5", usd), Ok(money(-1250, "USD")));
        assert_eq!(Money::parse("0.001", usd), Err(DecimalError::Places(2)));
        assert_eq!(Money::parse("--1", usd), Err(DecimalError::Syntax));
        assert_eq!(
            Money::parse("92233720368547758.08", usd),
            Err(DecimalError::TooLarge)
        );
    }

    #[test]
    fn overflowing_sum_is_an_error() {
        assert_eq!(
            money(2, "USD").checked_add(money(-3, "USD")),
            Ok(money(-1, "USD"))
        );
        assert_eq!(
            money(i64::MAX, "USD").checked_add(money(1, "USD")),
            Err(AmountOverflow)
        );
    }
}
