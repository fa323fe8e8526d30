//! Points in time.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// Point in time, in milliseconds since the Unix epoch, UTC. Displayed as RFC 3339.
///
/// ```
/// use std::time::Duration;
/// use voight_domain::Timestamp;
///
/// let start: Timestamp = "2026-11-21T10:00:00Z".parse()?;
/// let end = start.saturating_add(Duration::from_hours(24));
/// assert_eq!(end.to_string(), "2026-11-22T10:00:00Z");
/// assert_eq!(start.saturating_since(end), Duration::ZERO);
/// # Ok::<(), voight_domain::vocabulary::TimestampError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Timestamp(i64);

/// Error returned for a text that is not a point in time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a time is written as in RFC 3339, for example 2026-11-21T10:00:00Z")]
pub struct TimestampError;

impl Timestamp {
    /// Returns the time `millis` milliseconds after the Unix epoch.
    pub const fn from_millis(millis: i64) -> Self {
        Self(millis)
    }

    /// Returns the milliseconds since the Unix epoch.
    pub const fn as_millis(self) -> i64 {
        self.0
    }

    /// Returns the whole seconds since the Unix epoch.
    pub const fn as_seconds(self) -> i64 {
        self.0.div_euclid(1000)
    }

    /// Returns the time `span` later, or the last representable one.
    #[must_use]
    pub fn saturating_add(self, span: Duration) -> Self {
        Self(
            self.0
                .saturating_add(i64::try_from(span.as_millis()).unwrap_or(i64::MAX)),
        )
    }

    /// Returns the time `span` earlier, or the first representable one.
    #[must_use]
    pub fn saturating_sub(self, span: Duration) -> Self {
        Self(
            self.0
                .saturating_sub(i64::try_from(span.as_millis()).unwrap_or(i64::MAX)),
        )
    }

    /// Returns the duration since `earlier`; zero if `earlier` is not before this time.
    pub fn saturating_since(self, earlier: Self) -> Duration {
        Duration::from_millis(self.0.saturating_sub(earlier.0).max(0).cast_unsigned())
    }

    /// Returns the days since the Unix epoch, in UTC.
    pub const fn day(self) -> i64 {
        self.0.div_euclid(86_400_000)
    }
}

impl FromStr for Timestamp {
    type Err = TimestampError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let timestamp: jiff::Timestamp = text.parse().map_err(|_| TimestampError)?;
        Ok(Self(timestamp.as_millisecond()))
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // From seconds, because jiff accepts no milliseconds within the last second of its range.
        let nanoseconds = i32::try_from(self.0.rem_euclid(1000) * 1_000_000).unwrap_or_default();
        match jiff::Timestamp::new(self.as_seconds(), nanoseconds) {
            Ok(stamp) => stamp.fmt(f),
            // RFC 3339 has no text for times outside of the years -9999 to 9999.
            Err(_) => write!(f, "{} ms since 1970", self.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn times_round_trip(millis in 0_i64..253_402_207_200_000) {
            let at = Timestamp::from_millis(millis);
            prop_assert_eq!(at.to_string().parse(), Ok(at));
        }

        #[test]
        fn parser_never_panics(text: String) {
            let _ = text.parse::<Timestamp>();
        }
    }

    #[test]
    fn extreme_times_round_trip() {
        for text in ["-009999-01-02T01:59:59Z", "9999-12-30T22:00:00.999Z"] {
            assert_eq!(text.parse::<Timestamp>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn arithmetic_saturates() {
        assert_eq!(
            Timestamp::from_millis(i64::MAX)
                .saturating_add(Duration::MAX)
                .as_millis(),
            i64::MAX
        );
        assert_eq!(
            Timestamp::from_millis(5).saturating_since(Timestamp::from_millis(9)),
            Duration::ZERO
        );
        assert_eq!(Timestamp::from_millis(-1).day(), -1);
    }
}
