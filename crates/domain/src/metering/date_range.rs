//! Date range of a usage query.

use super::Period;
use crate::vocabulary::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;

/// Maximum length of a date range, in days.
pub const MAX_RANGE_DAYS: i64 = 400;

const DATE_LENGTH: usize = "2026-11-01".len();
const DAY_MILLIS: i64 = 86_400_000;

/// Error of an invalid date range.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum DateRangeError {
    /// An end is neither a date nor a time.
    #[error("{0} is neither a date such as 2026-11-01 nor a time such as 2026-11-01T00:00:00Z")]
    Malformed(&'static str),
    /// The range is empty.
    #[error(
        "to is not after from, so nothing lies between them; give a later to or an earlier from (what is left out is an end of \
         the current period)"
    )]
    Empty,
    /// The range is too long.
    #[error(
        "from and to are more than {MAX_RANGE_DAYS} days apart; ask for shorter spans, one after the other"
    )]
    TooLong,
}

impl Period {
    /// Parses the range from `from` (inclusive) to `to` (exclusive).
    ///
    /// The ends are dates, which mean their first instant in UTC, or RFC 3339 times. A missing end is that of the
    /// `current` period.
    pub fn parse_range(
        from: Option<&str>,
        to: Option<&str>,
        current: Self,
    ) -> Result<Self, DateRangeError> {
        let end = |name, text: Option<&str>, default| {
            text.map_or(Some(default), instant)
                .ok_or(DateRangeError::Malformed(name))
        };
        let span = Self {
            start: end("from", from, current.start)?,
            end: end("to", to, current.end)?,
        };
        if span.end <= span.start {
            Err(DateRangeError::Empty)
        } else if span.end.as_millis().saturating_sub(span.start.as_millis())
            > MAX_RANGE_DAYS * DAY_MILLIS
        {
            Err(DateRangeError::TooLong)
        } else {
            Ok(span)
        }
    }
}

fn instant(text: &str) -> Option<Timestamp> {
    if text.len() != DATE_LENGTH {
        return text.parse().ok();
    }
    let midnight = text.parse::<Date>().ok()?.to_zoned(TimeZone::UTC).ok()?;
    Some(Timestamp::from_millis(
        midnight.timestamp().as_millisecond(),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metering::PeriodStartDay;
    use proptest::prelude::*;

    fn november() -> Period {
        Period::month_containing(
            "2026-11-21T10:00:00Z".parse().unwrap(),
            PeriodStartDay::default(),
        )
    }

    /// Returns the ends of the parsed range; an empty text stands for a missing end.
    fn asked(from: &str, to: &str) -> Result<(String, String), DateRangeError> {
        let [from, to] = [from, to].map(|text| Some(text).filter(|text| !text.is_empty()));
        let span = Period::parse_range(from, to, november())?;
        Ok((span.start.to_string(), span.end.to_string()))
    }

    fn span(from: &str, to: &str) -> (String, String) {
        (from.to_owned(), to.to_owned())
    }

    #[test]
    fn default_range_is_the_current_period() {
        assert_eq!(
            asked("", ""),
            Ok(span("2026-11-01T00:00:00Z", "2026-12-01T00:00:00Z"))
        );
        assert_eq!(
            asked("2026-11-20", ""),
            Ok(span("2026-11-20T00:00:00Z", "2026-12-01T00:00:00Z"))
        );
        assert_eq!(
            asked("", "2026-11-02"),
            Ok(span("2026-11-01T00:00:00Z", "2026-11-02T00:00:00Z"))
        );
    }

    #[test]
    fn dates_mean_midnight() {
        let exact = asked("2026-10-31", "2026-11-01T01:30:00.250+01:00");
        assert_eq!(
            exact,
            Ok(span("2026-10-31T00:00:00Z", "2026-11-01T00:30:00.25Z"))
        );
    }

    #[test]
    fn malformed_times_are_reported() {
        for wrong in [
            "yesterday",
            "2026-11",
            "2026-02-30",
            "20261101",
            "2026-11-01T00:00:00",
            "1795255200",
        ] {
            assert_eq!(
                asked(wrong, ""),
                Err(DateRangeError::Malformed("from")),
                "{wrong}"
            );
            assert_eq!(
                asked("", wrong),
                Err(DateRangeError::Malformed("to")),
                "{wrong}"
            );
        }
    }

    #[test]
    fn reversed_or_long_range_is_rejected() {
        assert_eq!(
            asked("2026-11-02", "2026-11-02"),
            Err(DateRangeError::Empty)
        );
        assert_eq!(
            asked("2026-11-02", "2026-11-01"),
            Err(DateRangeError::Empty)
        );
        assert_eq!(asked("2026-12-01", ""), Err(DateRangeError::Empty));
        assert!(asked("2025-01-01", "2026-02-05").is_ok(), "400 days");
        assert_eq!(
            asked("2025-01-01", "2026-02-05T00:00:00.001Z"),
            Err(DateRangeError::TooLong)
        );
        assert_eq!(
            asked("-009999-01-03T00:00:00Z", "9999-12-30"),
            Err(DateRangeError::TooLong)
        );
    }

    proptest! {
        #[test]
        fn parser_never_panics(from: Option<String>, to: Option<String>) {
            let _ = Period::parse_range(from.as_deref(), to.as_deref(), november());
        }
    }
}
