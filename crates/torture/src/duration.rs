//! Spans of time as they are typed.

use std::time::Duration;

/// The span in `text`, for example `90s`, `10m` or `2h`: a whole number, of at least a second.
pub(crate) fn duration(text: &str) -> Result<Duration, String> {
    let units = [('s', 1), ('m', 60), ('h', 3600)];
    let seconds = units.into_iter().find_map(|(unit, seconds)| {
        let number: u64 = text.strip_suffix(unit)?.parse().ok()?;
        number.checked_mul(seconds).filter(|seconds| *seconds > 0)
    });
    let wrong = || format!("{text:?} is no span of time; write a whole number and a unit, for example 90s, 10m or 2h");
    seconds.map(Duration::from_secs).ok_or_else(wrong)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_span_is_a_number_and_a_unit() {
        assert_eq!(duration("90s"), Ok(Duration::from_secs(90)));
        assert_eq!(duration("10m"), Ok(Duration::from_mins(10)));
        assert_eq!(duration("2h"), Ok(Duration::from_hours(2)));
        for wrong in
            ["", "s", "10", "m", "0s", "1.5h", "10 m", "-1s", "1d", "99999999999999999999h", "18446744073709551615h"]
        {
            assert!(duration(wrong).unwrap_err().contains("10m"), "{wrong}");
        }
    }
}
