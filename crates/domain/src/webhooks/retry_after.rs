//! Header `Retry-After` of an answer.

use crate::vocabulary::Timestamp;
use std::time::{Duration, UNIX_EPOCH};

/// Returns the wait that a header `Retry-After` asks for at `now`; `None` for a text in neither of its two forms.
///
/// The forms are a number of seconds and an HTTP date ([RFC 9110](https://www.rfc-editor.org/rfc/rfc9110), section
/// 10.2.3), of which the two obsolete ones are accepted, too. A date in the past is a wait of zero.
pub fn parse_retry_after(text: &str, now: Timestamp) -> Option<Duration> {
    let text = text.trim();
    if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) {
        // A number beyond the range is longer than every limit.
        return Some(Duration::from_secs(text.parse().unwrap_or(u64::MAX)));
    }
    let date = httpdate::parse_http_date(text).ok()?;
    let since_epoch = date.duration_since(UNIX_EPOCH).unwrap_or_default();
    let millis = i64::try_from(since_epoch.as_millis()).unwrap_or(i64::MAX);
    Some(Timestamp::from_millis(millis).saturating_since(now))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn now() -> Timestamp {
        "2026-11-29T12:00:00Z".parse().unwrap()
    }

    #[test]
    fn seconds_and_all_dates_are_accepted() {
        for (text, seconds) in [
            ("0", 0),
            ("120", 120),
            (" 7 ", 7),
            ("99999999999999999999999", u64::MAX),
            ("Sun, 29 Nov 2026 12:02:00 GMT", 120),
            ("Sunday, 29-Nov-26 12:02:00 GMT", 120),
            ("Sun Nov 29 12:02:00 2026", 120),
            ("Sun, 29 Nov 2026 11:00:00 GMT", 0),
            ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
        ] {
            let wait = parse_retry_after(text, now());
            assert_eq!(wait, Some(Duration::from_secs(seconds)), "{text}");
        }
    }

    #[test]
    fn other_texts_are_ignored() {
        for text in [
            "",
            " ",
            "-1",
            "1.5",
            "1e3",
            "+5",
            "soon",
            "Sun, 29 Nov 2026",
        ] {
            assert_eq!(parse_retry_after(text, now()), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn retry_after_parser_never_panics(text: String, millis: i64) {
            let _ = parse_retry_after(&text, Timestamp::from_millis(millis));
        }
    }
}
