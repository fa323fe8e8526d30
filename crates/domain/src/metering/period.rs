//! Billing periods.

use crate::codec::{DecodeError, Decoder, Encoder};
use crate::vocabulary::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;

/// Day of the month on which a period begins, 1 to 31. In a shorter month the last day is used, computed from the
/// day each time: from the 31st, 31 January is followed by 28 February and then 31 March.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PeriodStartDay(u8);

/// Error returned for a number that is not a period start day.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the period start day is a day of the month, 1 to 31")]
pub struct PeriodStartDayError;

impl TryFrom<u8> for PeriodStartDay {
    type Error = PeriodStartDayError;

    fn try_from(day: u8) -> Result<Self, Self::Error> {
        if (1..=31).contains(&day) {
            Ok(Self(day))
        } else {
            Err(PeriodStartDayError)
        }
    }
}

impl Default for PeriodStartDay {
    /// Returns the first day, for calendar months.
    fn default() -> Self {
        Self(1)
    }
}

/// Half-open range of time, `start <= t < end`, in UTC.
///
/// ```
/// use voight_domain::Timestamp;
/// use voight_domain::metering::{Period, PeriodStartDay};
///
/// let noon: Timestamp = "2026-02-28T12:00:00Z".parse().expect("a time");
/// let last_day = PeriodStartDay::try_from(31)?;
/// let period = Period::month_containing(noon, last_day);
/// assert_eq!(period.start.to_string(), "2026-02-28T00:00:00Z");
/// assert_eq!(period.end.to_string(), "2026-03-31T00:00:00Z");
/// # Ok::<(), voight_domain::metering::PeriodStartDayError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Period {
    /// The first instant of the period.
    pub start: Timestamp,
    /// The first instant after the period.
    pub end: Timestamp,
}

impl Period {
    /// Returns the monthly period that contains `at`.
    ///
    /// Times outside of the calendar's range (before the year -9999 or after 9999) are clamped to its ends.
    pub fn month_containing(at: Timestamp, day: PeriodStartDay) -> Self {
        let millis = at
            .as_millis()
            .clamp(-377_000_000_000_000, 253_000_000_000_000);
        let date = match jiff::Timestamp::from_millisecond(millis) {
            Ok(stamp) => stamp.to_zoned(TimeZone::UTC).date(),
            Err(_) => Date::constant(1970, 1, 1),
        };
        let this = start_in(date.year(), date.month(), day);
        if date >= this {
            let (year, month) = next_month(date.year(), date.month());
            Self {
                start: midnight(this),
                end: midnight(start_in(year, month, day)),
            }
        } else {
            let (year, month) = previous_month(date.year(), date.month());
            Self {
                start: midnight(start_in(year, month, day)),
                end: midnight(this),
            }
        }
    }

    /// Appends the period to a record.
    pub fn encode(&self, out: &mut Encoder) {
        out.int(self.start.as_millis()).int(self.end.as_millis());
    }

    /// Reads the period from a record.
    pub fn decode(input: &mut Decoder<'_>) -> Result<Self, DecodeError> {
        Ok(Self {
            start: Timestamp::from_millis(input.int()?),
            end: Timestamp::from_millis(input.int()?),
        })
    }

    /// Returns `true` if the period contains `at`.
    pub fn contains(&self, at: Timestamp) -> bool {
        self.start <= at && at < self.end
    }
}

fn start_in(year: i16, month: i8, day: PeriodStartDay) -> Date {
    let first = Date::constant(year, month, 1);
    let day = i8::try_from(day.0).unwrap_or(1).min(first.days_in_month());
    Date::constant(year, month, day)
}

const fn next_month(year: i16, month: i8) -> (i16, i8) {
    if month == 12 {
        (year + 1, 1)
    } else {
        (year, month + 1)
    }
}

const fn previous_month(year: i16, month: i8) -> (i16, i8) {
    if month == 1 {
        (year - 1, 12)
    } else {
        (year, month - 1)
    }
}

fn midnight(date: Date) -> Timestamp {
    let days = date
        .since(Date::constant(1970, 1, 1))
        .map_or(0, |span| span.get_days());
    Timestamp::from_millis(i64::from(days) * 86_400_000)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn timestamp(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    #[test]
    fn calendar_months_are_half_open() {
        let period = Period::month_containing(
            timestamp("2026-11-30T23:59:59.999Z"),
            PeriodStartDay::default(),
        );
        assert_eq!(
            (period.start, period.end),
            (
                timestamp("2026-11-01T00:00:00Z"),
                timestamp("2026-12-01T00:00:00Z")
            )
        );
        assert!(!period.contains(period.end));
        assert_eq!(
            Period::month_containing(period.end, PeriodStartDay::default()).start,
            period.end
        );
    }

    #[test]
    fn start_day_is_clamped_to_the_month() {
        let day = PeriodStartDay::try_from(31).unwrap();
        let february = Period::month_containing(timestamp("2027-02-28T12:00:00Z"), day);
        assert_eq!(
            (february.start, february.end),
            (
                timestamp("2027-02-28T00:00:00Z"),
                timestamp("2027-03-31T00:00:00Z")
            )
        );
        let leap = Period::month_containing(timestamp("2028-02-15T00:00:00Z"), day);
        assert_eq!(
            (leap.start, leap.end),
            (
                timestamp("2028-01-31T00:00:00Z"),
                timestamp("2028-02-29T00:00:00Z")
            )
        );
    }

    proptest! {
        #[test]
        fn instant_is_in_exactly_one_period(millis in 0_i64..4_000_000_000_000, day in 1_u8..=31) {
            let day = PeriodStartDay::try_from(day).unwrap();
            let instant = Timestamp::from_millis(millis);
            let period = Period::month_containing(instant, day);
            prop_assert!(period.contains(instant));
            prop_assert_eq!(Period::month_containing(period.end, day).start, period.end);
            let last = Timestamp::from_millis(period.end.as_millis() - 1);
            prop_assert_eq!(Period::month_containing(last, day), period);
        }
    }
}
