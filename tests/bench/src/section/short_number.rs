//! Round numbers in names: 30k, 1m.

/// Returns the short name of a number.
pub(crate) fn short(number: u64) -> String {
    match (number % 1_000_000, number % 1_000) {
        (0, _) => format!("{}m", number / 1_000_000),
        (_, 0) => format!("{}k", number / 1_000),
        _ => number.to_string(),
    }
}

/// Parses the number in a name; `None` if it is invalid.
pub(crate) fn number(name: &str) -> Option<f64> {
    let (digits, unit) = match (name.strip_suffix('m'), name.strip_suffix('k')) {
        (Some(digits), _) => (digits, 1e6),
        (_, Some(digits)) => (digits, 1e3),
        _ => (name, 1.0),
    };
    digits
        .parse::<u32>()
        .ok()
        .map(|number| f64::from(number) * unit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn round_numbers_have_a_short_name() {
        let names = [
            (1_000_000, "1m"),
            (30_000, "30k"),
            (1_500, "1500"),
            (10_000_000, "10m"),
        ];
        for (target, name) in names {
            assert_eq!(short(target), name);
            assert_eq!(
                number(name).map(|number| format!("{number}")),
                Some(target.to_string())
            );
        }
        assert_eq!(number("10k_low"), None);
    }
}
