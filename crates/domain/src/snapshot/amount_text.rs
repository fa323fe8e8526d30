//! Amounts as platforms write them: in base units or in whole tokens.

use super::{TokenAmount, TokenAmountError};
use crate::vocabulary::{deceptive_character_name, is_formula};
use std::fmt;

/// Maximum number of decimals of a token whose amounts are read: 10^38 is the largest power of ten below 2^128.
pub const MAX_AMOUNT_DECIMALS: u8 = 38;

/// Unit of the amounts of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AmountUnit {
    /// Whole base units of the token (wei for ether).
    Base,
    /// Tokens of `10^decimals` base units, with up to `decimals` digits after the decimal point.
    Tokens {
        /// Number of decimals of the token, at most [`MAX_AMOUNT_DECIMALS`].
        decimals: u8,
    },
}

/// Reason why a text is not an amount. Displayed with the remedy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AmountProblem {
    /// The text is empty.
    Missing,
    /// A spreadsheet would evaluate the text.
    Formula,
    /// The text has a character that is invisible, or that looks like another one.
    Character(char),
    /// The number is negative.
    Negative,
    /// The number has an exponent.
    Exponent,
    /// The number has a comma, a space or another sign between its digits.
    Separator,
    /// The number is hexadecimal.
    Hexadecimal,
    /// The number of base units has a fraction.
    Fraction,
    /// The number of tokens has more digits after the decimal point than the token.
    Decimals(u8),
    /// The amount exceeds 2^128 - 1 base units.
    TooLarge,
    /// The text resembles no number.
    Other,
}

impl TokenAmount {
    /// Parses a number of base units or of tokens: decimal digits, for tokens with an optional decimal point.
    pub fn from_text(text: &str, unit: AmountUnit) -> Result<Self, AmountProblem> {
        let is_digits =
            |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        let whole_number = text.parse::<Self>();
        match (unit, whole_number) {
            (AmountUnit::Base, Ok(amount)) => return Ok(amount),
            (AmountUnit::Tokens { decimals }, Ok(tokens)) => return tokens.base_units_of(decimals),
            (_, Err(TokenAmountError::TooLarge)) => return Err(AmountProblem::TooLarge),
            (_, Err(TokenAmountError::Malformed)) => {}
        }
        match (unit, text.split_once('.')) {
            (AmountUnit::Tokens { decimals }, Some((tokens, fraction)))
                if is_digits(tokens) && is_digits(fraction) =>
            {
                let fraction = fraction.trim_end_matches('0');
                let zeros = usize::from(decimals)
                    .checked_sub(fraction.len())
                    .ok_or(AmountProblem::Decimals(decimals))?;
                let digits = format!("{tokens}{fraction}{:0<zeros$}", "");
                digits.parse().map_err(|_| AmountProblem::TooLarge)
            }
            (AmountUnit::Base, Some((tokens, fraction)))
                if is_digits(tokens) && is_digits(fraction) =>
            {
                Err(AmountProblem::Fraction)
            }
            _ => Err(AmountProblem::from_text(text)),
        }
    }

    /// Returns the number of base units of this number of tokens.
    fn base_units_of(self, decimals: u8) -> Result<Self, AmountProblem> {
        let base_units = 10_u128
            .checked_pow(decimals.into())
            .and_then(|unit| unit.checked_mul(self.base_units()));
        base_units
            .map(Self::from_base_units)
            .ok_or(AmountProblem::TooLarge)
    }

    /// Returns the sum of two amounts; `None` if it exceeds 2^128 - 1.
    pub fn checked_add(self, amount: Self) -> Option<Self> {
        self.base_units()
            .checked_add(amount.base_units())
            .map(Self::from_base_units)
    }

    /// Returns the amount for each of `count` addresses together; `None` if it exceeds 2^128 - 1.
    pub fn checked_mul(self, count: u64) -> Option<Self> {
        self.base_units()
            .checked_mul(count.into())
            .map(Self::from_base_units)
    }
}

impl AmountProblem {
    /// Returns the problem of a text that is no number in decimal notation.
    fn from_text(text: &str) -> Self {
        let deceptive = text
            .chars()
            .find(|character| deceptive_character_name(*character).is_some());
        let lower = text.to_ascii_lowercase();
        let has_digit = text.bytes().any(|byte| byte.is_ascii_digit());
        let is_number_of = |others: &[u8]| {
            lower
                .bytes()
                .all(|byte| byte.is_ascii_digit() || others.contains(&byte))
        };
        match (deceptive, text.strip_prefix('-')) {
            _ if text.is_empty() => Self::Missing,
            (Some(character), _) => Self::Character(character),
            (None, Some(number))
                if number.starts_with(|first: char| first.is_ascii_digit() || first == '.') =>
            {
                Self::Negative
            }
            _ if is_formula(text) => Self::Formula,
            _ if lower.starts_with("0x") => Self::Hexadecimal,
            _ if has_digit && lower.contains('e') && is_number_of(b".e+-") => Self::Exponent,
            _ if has_digit && is_number_of(b"., _'") => Self::Separator,
            _ => Self::Other,
        }
    }
}

/// Returns `true` if a text is a number, or was meant as one: `12.5`, `1,000`, `-3`, `1e18`, `$5`, `10 USDC`, full-width digits.
pub fn looks_like_number(text: &str) -> bool {
    let is_before_number = |character: char| {
        "+-.,$\u{20ac}\u{a3}\u{a5}'\"( ".contains(character)
            || deceptive_character_name(character).is_some()
    };
    let number = text.trim_start_matches(|character: char| {
        is_before_number(character) && !character.is_numeric()
    });
    number.starts_with(char::is_numeric)
        || number.starts_with(|first| ('\u{ff10}'..='\u{ff19}').contains(&first))
}

impl fmt::Display for AmountProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match *self {
            Self::Character(character) => {
                let name = deceptive_character_name(character).unwrap_or("another character");
                return write!(f, "it has {name} (U+{:04X}); remove or retype it", u32::from(character));
            }
            Self::Decimals(decimals) => {
                return write!(f, "it has more digits after the decimal point than the {decimals} decimals of the token");
            }
            Self::Missing => "the amount is missing; write one in each line, 0 for no reward",
            Self::Formula => "it is a formula of a spreadsheet; write the number instead",
            Self::Negative => "an amount is not negative",
            Self::Exponent => "it has an exponent; write all digits, and format the column as text before a spreadsheet saves it",
            Self::Separator => "write the digits without separators, and a point before the fraction of a token",
            Self::Hexadecimal => "it is hexadecimal; write decimal digits",
            Self::Fraction => {
                "it has a fraction, and base units have none; if the amounts are whole tokens, state unit=tokens and decimals (--unit tokens --decimals N)"
            }
            Self::TooLarge => "it exceeds 340282366920938463463374607431768211455 base units (2^128 - 1)",
            Self::Other => "an amount is a number of decimal digits",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const TOKENS: AmountUnit = AmountUnit::Tokens { decimals: 6 };

    #[test]
    fn token_text_becomes_base_units() {
        for (text, expected) in [
            ("12.5", 12_500_000),
            ("0.1", 100_000),
            ("7", 7_000_000),
            ("0.000001", 1),
            ("1.500000000", 1_500_000),
        ] {
            assert_eq!(
                TokenAmount::from_text(text, TOKENS),
                Ok(TokenAmount::from_base_units(expected)),
                "{text}"
            );
        }
        assert_eq!(
            TokenAmount::from_text("007", AmountUnit::Base),
            Ok(TokenAmount::from_base_units(7))
        );
    }

    #[test]
    fn unsupported_notation_is_explained() {
        for (text, expected) in [
            ("", AmountProblem::Missing),
            ("n/a", AmountProblem::Other),
            ("-", AmountProblem::Other),
            (".5", AmountProblem::Separator),
            ("5.", AmountProblem::Separator),
            ("-3", AmountProblem::Negative),
            ("1e18", AmountProblem::Exponent),
            ("1.5E+21", AmountProblem::Exponent),
            ("1,000", AmountProblem::Separator),
            ("1.000.000", AmountProblem::Separator),
            ("1 000", AmountProblem::Separator),
            ("1_000", AmountProblem::Separator),
            ("0x10", AmountProblem::Hexadecimal),
            ("=A1*2", AmountProblem::Formula),
            ("5\u{a0}", AmountProblem::Character('\u{a0}')),
            ("\u{ff15}", AmountProblem::Character('\u{ff15}')),
            (
                "340282366920938463463374607431768211456",
                AmountProblem::TooLarge,
            ),
        ] {
            for unit in [AmountUnit::Base, TOKENS] {
                assert_eq!(
                    TokenAmount::from_text(text, unit),
                    Err(expected),
                    "{text:?} {unit:?}"
                );
            }
        }
        assert_eq!(
            TokenAmount::from_text("12.5", AmountUnit::Base),
            Err(AmountProblem::Fraction)
        );
        assert_eq!(
            TokenAmount::from_text("0.0000001", TOKENS),
            Err(AmountProblem::Decimals(6))
        );
        assert_eq!(
            TokenAmount::from_text("340282366920938463463374607431769", TOKENS),
            Err(AmountProblem::TooLarge)
        );
        assert_eq!(
            TokenAmount::from_text("340282366920938463463374607431768.211456", TOKENS),
            Err(AmountProblem::TooLarge)
        );
    }

    #[test]
    fn sums_never_wrap() {
        let largest = TokenAmount::from_base_units(u128::MAX);
        let smallest = TokenAmount::from_base_units(1);
        assert_eq!(
            (
                largest.checked_add(smallest),
                smallest.checked_add(smallest)
            ),
            (None, Some(TokenAmount::from_base_units(2)))
        );
        assert_eq!(
            (largest.checked_mul(2), smallest.checked_mul(3)),
            (None, Some(TokenAmount::from_base_units(3)))
        );
    }

    #[test]
    fn numbers_are_no_column_names() {
        for text in [
            "5",
            "12.5",
            "1,000",
            "-3",
            "1e18",
            "$5",
            "10 USDC",
            "\u{ff15}",
            "'5",
            "\u{a0}5",
            ".5",
            "2026-11-28",
        ] {
            assert!(looks_like_number(text), "{text:?}");
        }
        for text in ["amount", "", "-", "n/a", "q1", "$", "vp"] {
            assert!(!looks_like_number(text), "{text:?}");
        }
    }

    proptest! {
        #[test]
        fn token_text_round_trips(units: u128, decimals in 0..=MAX_AMOUNT_DECIMALS) {
            let amount = TokenAmount::from_base_units(units);
            let text = amount.to_tokens(decimals);
            prop_assert_eq!(TokenAmount::from_text(&text, AmountUnit::Tokens { decimals }), Ok(amount));
        }

        #[test]
        fn parser_never_panics(text: String, decimals: u8) {
            let _ = TokenAmount::from_text(&text, AmountUnit::Tokens { decimals });
            let _ = looks_like_number(&text);
        }
    }
}
