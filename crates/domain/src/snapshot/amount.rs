//! Amount of a token.

use std::fmt;
use std::str::FromStr;

/// Amount of a token in whole base units (wei for ether). Parsed from and displayed as decimal digits.
///
/// Stored as big-endian bytes, which sort as numbers and need no alignment: a list of a million addresses with amounts takes
/// 37 MB instead of 64 MB.
///
/// ```
/// use voight_domain::snapshot::{AmountUnit, TokenAmount};
///
/// let amount = TokenAmount::from_text("1.5", AmountUnit::Tokens { decimals: 18 })?;
/// assert_eq!(amount.base_units(), 1_500_000_000_000_000_000);
/// assert_eq!(amount.to_tokens(18), "1.5");
/// # Ok::<(), voight_domain::snapshot::AmountProblem>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct TokenAmount([u8; 16]);

/// Error returned for a text that is not a token amount.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum TokenAmountError {
    /// The text has another character than a decimal digit, or none.
    #[error(
        "an amount is a whole number of the token's base units, written as decimal digits only"
    )]
    Malformed,
    /// The number exceeds 2^128 - 1.
    #[error("an amount is at most 340282366920938463463374607431768211455 base units (2^128 - 1)")]
    TooLarge,
}

impl TokenAmount {
    /// Creates the amount of this number of base units.
    pub const fn from_base_units(units: u128) -> Self {
        Self(units.to_be_bytes())
    }

    /// Returns the number of base units.
    pub const fn base_units(self) -> u128 {
        u128::from_be_bytes(self.0)
    }

    /// Returns the amount in whole tokens, as a decimal number without trailing zeros.
    ///
    /// A token is `10^decimals` base units: 1500000 units of a token with 6 decimals are `1.5`.
    pub fn to_tokens(self, decimals: u8) -> String {
        let decimals = usize::from(decimals);
        let digits = format!("{:0>width$}", self.base_units(), width = decimals + 1);
        let (tokens, fraction) = digits.split_at(digits.len() - decimals);
        match fraction.trim_end_matches('0') {
            "" => tokens.to_owned(),
            fraction => format!("{tokens}.{fraction}"),
        }
    }
}

impl FromStr for TokenAmount {
    type Err = TokenAmountError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        // The parser of the standard library also accepts a plus sign.
        if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(TokenAmountError::Malformed);
        }
        text.parse()
            .map(Self::from_base_units)
            .map_err(|_| TokenAmountError::TooLarge)
    }
}

impl fmt::Display for TokenAmount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.base_units().fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn amount_has_only_decimal_digits() {
        for text in [
            "", "+1", "-1", "1.5", "1e18", "0x10", " 1", "1 ", "1_000", "1,000", "\u{0661}",
        ] {
            assert_eq!(
                text.parse::<TokenAmount>(),
                Err(TokenAmountError::Malformed),
                "{text:?}"
            );
        }
        assert_eq!("007".parse(), Ok(TokenAmount::from_base_units(7)));
    }

    #[test]
    fn largest_amount_has_128_bits() {
        let largest = "340282366920938463463374607431768211455";
        assert_eq!(largest.parse(), Ok(TokenAmount::from_base_units(u128::MAX)));
        assert_eq!(
            "340282366920938463463374607431768211456".parse::<TokenAmount>(),
            Err(TokenAmountError::TooLarge)
        );
        assert!(TokenAmountError::TooLarge.to_string().contains(largest));
    }

    #[test]
    fn token_text_has_a_decimal_point() {
        for (units, decimals, expected) in [
            (0, 18, "0"),
            (1, 18, "0.000000000000000001"),
            (1_500_000, 6, "1.5"),
            (10_000_000, 6, "10"),
            (10_000_001, 6, "10.000001"),
            (1200, 0, "1200"),
            (u128::MAX, 38, "3.40282366920938463463374607431768211455"),
        ] {
            assert_eq!(
                TokenAmount::from_base_units(units).to_tokens(decimals),
                expected
            );
        }
    }

    proptest! {
        #[test]
        fn amounts_round_trip(units: u128) {
            let amount = TokenAmount::from_base_units(units);
            prop_assert_eq!(amount.to_string().parse(), Ok(amount));
        }

        #[test]
        fn token_text_keeps_every_base_unit(units: u128, decimals: u8) {
            let text = TokenAmount::from_base_units(units).to_tokens(decimals);
            let (tokens, fraction) = text.split_once('.').unwrap_or((&text, ""));
            let digits = format!("{tokens}{fraction:0<width$}", width = usize::from(decimals));
            prop_assert_eq!(digits.parse(), Ok(units));
        }
    }
}
