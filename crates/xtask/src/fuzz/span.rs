//! Spans of time on the command line.

use std::time::Duration;

/// `90s`, `10m` or `2h`: a whole number of at least one second.
pub(super) fn parse(text: &str) -> Result<Duration, String> {
    let units = [('s', 1), ('m', 60), ('h', 3600)];
    let seconds = units.into_iter().find_map(|(unit, seconds)| {
        let number: u64 = text.strip_suffix(unit)?.parse().ok()?;
        number.checked_mul(seconds).filter(|seconds| *seconds > 0)
    });
    seconds
        .map(Duration::from_secs)
        .ok_or_else(|| "write a whole number with its unit, for example 90s, 10m or 2h".to_owned())
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::parse;

    #[test]
    fn a_span_is_a_number_with_its_unit() {
        assert_eq!(parse("90s"), Ok(Duration::from_secs(90)));
        assert_eq!(parse("10m"), Ok(Duration::from_mins(10)));
        assert_eq!(parse("2h"), Ok(Duration::from_hours(2)));
        for text in ["", "s", "90", "0s", "-1s", "1.5h", "1d", "99999999999999999h"] {
            assert!(parse(text).unwrap_err().contains("10m"), "{text}");
        }
    }
}
