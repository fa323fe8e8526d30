//! Amounts of money in requests of operators.

use super::error::parsed;
use crate::error::ApiError;
use voight_domain::billing::{Currency, DecimalError, Money};

/// Parses an amount: `12.50` in `currency`, or `12.50 USD` with its own currency.
pub(super) fn amount(member: &str, text: &str, currency: Currency) -> Result<Money, ApiError> {
    let (number, currency) = match text.trim().split_once(' ') {
        None => (text.trim(), currency),
        Some((number, code)) => (number, parsed(member, code.trim())?),
    };
    Money::parse(number, currency).map_err(|error| {
        let reason = match error {
            DecimalError::Syntax => {
                "it is not a decimal number: digits and a decimal point, without a currency sign or a separator of \
                 thousands"
                    .to_owned()
            }
            error => error.to_string(),
        };
        let example = Money { minor: 125, currency }.amount_text();
        ApiError::invalid(format!(
            "{member}: {number:?} is not an amount in {currency}: {reason}; write for example {example:?}, or \"{example} {currency}\"."
        ))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amount_defaults_to_the_currency_in_force() {
        let eur = "EUR".parse().unwrap();
        for (text, minor, currency) in [
            ("12.5", 1250, eur),
            (" 12.50 ", 1250, eur),
            ("-3", -300, eur),
            ("3.00  USD", 300, Currency::USD),
        ] {
            assert_eq!(
                amount("amount", text, eur),
                Ok(Money { minor, currency }),
                "{text:?}"
            );
        }
    }

    #[test]
    fn malformed_amount_is_rejected_with_an_example() {
        let rejection_message = |text| {
            amount("budget", text, Currency::USD)
                .unwrap_err()
                .message()
                .to_owned()
        };
        for (text, hint) in [
            ("", "not a decimal number"),
            ("12,50", "a decimal point"),
            ("$5", "without a currency sign"),
            ("1e3", "not a decimal number"),
            ("0.001", "more than 2 decimal places"),
            ("99999999999999999999", "too large"),
        ] {
            let sentence = rejection_message(text);
            assert!(
                sentence.starts_with("budget: ")
                    && sentence.contains(hint)
                    && sentence.contains("\"1.25\""),
                "{text}: {sentence}"
            );
        }
        let dollar = rejection_message("1 dollar");
        assert!(
            dollar.starts_with("budget: it is not a currency of ISO 4217")
                && dollar.contains("USD"),
            "{dollar}"
        );
        let yen = amount("amount", "1.5", "JPY".parse().unwrap()).unwrap_err();
        assert!(
            yen.message().contains("more than 0 decimal places")
                && yen.message().contains("\"125\""),
            "{yen}"
        );
    }
}
