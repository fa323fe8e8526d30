//! Header `Retry-After` of a response.

use crate::vocabulary::Timestamp;
use jiff::fmt::rfc2822::DateTimeParser;
use std::time::Duration;

/// Time for which a receiver asks not to be called again ([RFC 9110, section
/// 10.2.3](https://www.rfc-editor.org/rfc/rfc9110#section-10.2.3)).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RetryAfter {
    /// Time that begins with the response.
    Delay(Duration),
    /// Date before which the receiver is not called.
    At(Timestamp),
}

impl RetryAfter {
    /// Parses the value of the header; `None` if it is neither a number of seconds nor a date.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim_matches([' ', '\t']);
        if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) {
            // More seconds than 64 bits can express are still a number.
            let seconds = text.parse().unwrap_or(u64::MAX);
            return Some(Self::Delay(Duration::from_secs(seconds)));
        }
        // Other time zones than GMT are dates of e-mail, and not of HTTP.
        text.ends_with(" GMT").then_some(())?;
        let date = DateTimeParser::new().parse_timestamp(text).ok()?;
        Some(Self::At(Timestamp::from_millis(date.as_millisecond())))
    }

    /// Returns the time to wait for a response that was received at `now`; zero for a date that has passed.
    pub fn delay(self, now: Timestamp) -> Duration {
        match self {
            Self::Delay(delay) => delay,
            Self::At(date) => date.saturating_since(now),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DATE: &str = "Sun, 06 Nov 1994 08:49:37 GMT";
    const DATE_SECONDS: i64 = 784_111_777;

    #[test]
    fn seconds_and_dates_are_parsed() {
        let at = Timestamp::from_millis(DATE_SECONDS * 1_000);
        for (text, value) in [
            ("121", RetryAfter::Delay(Duration::from_secs(121))),
            (" 0 ", RetryAfter::Delay(Duration::ZERO)),
            (
                "99999999999999999999999",
                RetryAfter::Delay(Duration::from_secs(u64::MAX)),
            ),
            (DATE, RetryAfter::At(at)),
        ] {
            assert_eq!(RetryAfter::parse(text), Some(value), "{text}");
        }
    }

    #[test]
    fn other_values_are_ignored() {
        for text in [
            "",
            " ",
            "-1",
            "+1",
            "1.5",
            "soon",
            "120 seconds",
            "Sun, 06 Nov 1994 08:49:37 +0200",
            "Sun, 31 Feb 1994 08:49:37 GMT",
            "1994-11-06T08:49:37Z",
        ] {
            assert_eq!(RetryAfter::parse(text), None, "{text:?}");
        }
    }

    #[test]
    fn delay_of_a_date_is_never_negative() {
        let date = RetryAfter::parse(DATE).unwrap();
        let second = |offset: i64| Timestamp::from_millis((DATE_SECONDS + offset) * 1_000);
        assert_eq!(date.delay(second(-90)), Duration::from_secs(90));
        assert_eq!(date.delay(second(0)), Duration::ZERO);
        assert_eq!(date.delay(second(1)), Duration::ZERO);
    }
}
