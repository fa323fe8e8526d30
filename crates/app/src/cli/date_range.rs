//! Durations on the command line.

use std::time::Duration;

/// Parses `24h`, `30d`, `90m`, `45s` or `0`.
pub(super) fn parse(text: &str) -> Result<Duration, String> {
    let wrong =
        || format!("{text:?} is not a span of time; write for example 24h, 30d, 90m, 45s or 0");
    if text == "0" {
        return Ok(Duration::ZERO);
    }
    let unit = text.chars().last().ok_or_else(wrong)?;
    let seconds = match unit {
        's' => 1,
        'm' => 60,
        'h' => 3_600,
        'd' => 86_400,
        _ => return Err(wrong()),
    };
    let digits = &text[..text.len() - unit.len_utf8()];
    let plain = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    let count = digits
        .parse::<u64>()
        .ok()
        .filter(|_| plain)
        .ok_or_else(wrong)?;
    count
        .checked_mul(seconds)
        .map(Duration::from_secs)
        .ok_or_else(wrong)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_are_a_whole_number_and_a_unit() {
        for (text, seconds) in [
            ("0", 0),
            ("0s", 0),
            ("45s", 45),
            ("90m", 5_400),
            ("24h", 86_400),
            ("30d", 2_592_000),
        ] {
            assert_eq!(parse(text), Ok(Duration::from_secs(seconds)), "{text}");
        }
        for text in [
            "",
            "h",
            "24",
            "-1h",
            "+1h",
            "1.5h",
            "1é",
            "99999999999999999999d",
        ] {
            assert!(parse(text).is_err(), "{text}");
        }
    }
}
