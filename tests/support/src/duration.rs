//! Durations on the command line.

use jiff::SignedDuration;
use std::time::Duration;

/// Parses a duration, for example `90s`, `10m` or `1h 30m`, of at least a second.
pub fn parse_duration(text: &str) -> Result<Duration, String> {
    let span = text
        .parse::<SignedDuration>()
        .ok()
        .and_then(|span| Duration::try_from(span).ok());
    let wrong = || {
        format!(
            "{text:?} is not a duration of at least one second; write for example 90s, 10m or 2h"
        )
    };
    span.filter(|span| span.as_secs() > 0).ok_or_else(wrong)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_duration_is_numbers_with_units() {
        assert_eq!(parse_duration("90s"), Ok(Duration::from_secs(90)));
        assert_eq!(parse_duration("10m"), Ok(Duration::from_mins(10)));
        assert_eq!(parse_duration("2h"), Ok(Duration::from_hours(2)));
        assert_eq!(parse_duration("1h 30m"), Ok(Duration::from_mins(90)));
        for wrong in [
            "",
            "s",
            "10",
            "m",
            "0s",
            "500ms",
            "-1s",
            "99999999999999999999h",
            "18446744073709551615h",
        ] {
            assert!(
                parse_duration(wrong).unwrap_err().contains("10m"),
                "{wrong}"
            );
        }
    }
}
