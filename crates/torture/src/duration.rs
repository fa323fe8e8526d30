//! Spans of time as they are typed.

use std::time::Duration;

/// The span in `text`, for example `90s`, `10m` or `2h`.
pub(crate) fn duration(text: &str) -> Result<Duration, String> {
    let wrong = || format!("{text:?} is no span of time; write a number and a unit, for example 90s, 10m or 2h");
    let unit = text.chars().next_back().ok_or_else(wrong)?;
    let number = text.strip_suffix(unit).and_then(|number| number.parse::<u64>().ok()).ok_or_else(wrong)?;
    let seconds = match unit {
        's' => 1,
        'm' => 60,
        'h' => 3600,
        _ => return Err(wrong()),
    };
    number.checked_mul(seconds).map(Duration::from_secs).ok_or_else(wrong)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_span_is_a_number_and_a_unit() {
        assert_eq!(duration("90s"), Ok(Duration::from_secs(90)));
        assert_eq!(duration("10m"), Ok(Duration::from_mins(10)));
        assert_eq!(duration("2h"), Ok(Duration::from_hours(2)));
        for wrong in ["", "10", "m", "1.5h", "10 m", "-1s", "99999999999999999999h", "18446744073709551615h"] {
            assert!(duration(wrong).unwrap_err().contains("10m"), "{wrong}");
        }
    }
}
