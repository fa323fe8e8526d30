//! Decimal numbers as text, without floating point.

/// Error of parsing a decimal number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum DecimalError {
    /// The text is not a sequence of digits with at most one point between them.
    #[error("it is not a decimal number; write digits with a point, for example \"0.002\"")]
    Syntax,
    /// The number has more decimal places than the maximum.
    #[error("it has more than {0} decimal places")]
    Places(u32),
    /// The number is too large.
    #[error("it is too large")]
    TooLarge,
}

/// Parses `text` as a whole number of units of the `places`-th decimal place.
pub(super) fn parse(text: &str, places: u32) -> Result<u64, DecimalError> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    if !is_number(whole) || !is_number(fraction) {
        return Err(DecimalError::Syntax);
    }
    let fraction = fraction.trim_end_matches('0');
    let missing = places
        .checked_sub(fraction.len().try_into().unwrap_or(u32::MAX))
        .ok_or(DecimalError::Places(places))?;
    let digits = format!("{whole}{fraction}");
    let value = digits.bytes().try_fold(0_u64, |value, digit| {
        value.checked_mul(10)?.checked_add(u64::from(digit - b'0'))
    });
    value
        .and_then(|value| value.checked_mul(10_u64.checked_pow(missing)?))
        .ok_or(DecimalError::TooLarge)
}

/// Formats a number of units of the `places`-th decimal place.
///
/// The text has at least `least` decimal places and no further trailing zeros.
pub(super) fn format(units: u64, places: u32, least: u32) -> String {
    let width = usize::try_from(places).unwrap_or_default();
    let digits = format!("{units:0>width$}", width = width + 1);
    let (whole, fraction) = digits.split_at(digits.len() - width);
    let shortest = fraction
        .trim_end_matches('0')
        .len()
        .max(usize::try_from(least).unwrap_or_default());
    let fraction = &fraction[..shortest.min(fraction.len())];
    if fraction.is_empty() {
        whole.to_owned()
    } else {
        format!("{whole}.{fraction}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn decimal_is_parsed_to_its_last_place() {
        assert_eq!(parse("0.002", 12), Ok(2_000_000_000));
        assert_eq!(parse("5", 2), Ok(500));
        assert_eq!(parse("0.10", 1), Ok(1));
        assert_eq!(parse("18446744.073709551615", 12), Ok(u64::MAX));
    }

    #[test]
    fn malformed_decimals_are_rejected() {
        for text in [
            "", ".", "1.", ".5", "-1", "+1", "1e3", "1,5", " 1", "0x1", "1.2.3", "\u{661}",
        ] {
            assert_eq!(parse(text, 12), Err(DecimalError::Syntax), "{text:?}");
        }
        assert_eq!(parse("0.001", 2), Err(DecimalError::Places(2)));
        assert_eq!(
            parse("18446744.073709551616", 12),
            Err(DecimalError::TooLarge)
        );
        assert_eq!(parse(&"9".repeat(200), 12), Err(DecimalError::TooLarge));
    }

    proptest! {
        #[test]
        fn formatted_decimals_parse(units: u64, places in 0_u32..=12) {
            prop_assert_eq!(parse(&format(units, places, 0), places), Ok(units));
            prop_assert_eq!(parse(&format(units, places, places), places), Ok(units));
        }
    }
}
