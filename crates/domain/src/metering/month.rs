//! Months and their names.

use super::{Period, PeriodStartDay};
use crate::vocabulary::Timestamp;
use std::fmt;
use std::str::FromStr;

/// Calendar month, written `2026-11`. A period is named by the month in which it begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Month(Period);

/// Error returned for a text that is not a month.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a month is written as year and month, for example 2026-11")]
pub struct MonthError;

impl Month {
    /// Returns the month that contains `at`.
    pub fn containing(at: Timestamp) -> Self {
        Self(Period::month_containing(at, PeriodStartDay::default()))
    }

    /// Returns `true` if the month contains `at`.
    pub fn contains(self, at: Timestamp) -> bool {
        self.0.contains(at)
    }

    /// Returns the period that begins in this month.
    pub fn period(self, day: PeriodStartDay) -> Period {
        Period::month_containing(Timestamp::from_millis(self.0.end.as_millis() - 1), day)
    }

    /// Returns the first instant of the month.
    pub const fn start(self) -> Timestamp {
        self.0.start
    }
}

impl FromStr for Month {
    type Err = MonthError;

    fn from_str(text: &str) -> Result<Self, MonthError> {
        let first = format!("{text}-01T00:00:00Z")
            .parse()
            .map_err(|_| MonthError)?;
        let month = Self::containing(first);
        // A month has exactly one spelling.
        if month.to_string() == text {
            Ok(month)
        } else {
            Err(MonthError)
        }
    }
}

impl fmt::Display for Month {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let start = self.0.start.to_string();
        f.write_str(
            start
                .split_once("-01T")
                .map_or(start.as_str(), |(month, _)| month),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn month_has_one_spelling() {
        let month: Month = "2026-01".parse().unwrap();
        assert_eq!(month.to_string(), "2026-01");
        assert!(month.contains("2026-01-31T23:59:59.999Z".parse().unwrap()));
        assert!(!month.contains("2026-02-01T00:00:00Z".parse().unwrap()));
        assert_eq!(month.period(PeriodStartDay::default()), month.0);
        let half = month.period(PeriodStartDay::try_from(15).unwrap());
        assert_eq!(half.end, "2026-02-15T00:00:00Z".parse().unwrap());
        for text in [
            "",
            "2026",
            "2026-1",
            "2026-13",
            "2026-00",
            "26-01",
            "2026-01-01",
            "2026-01-01T00:00:00Z",
        ] {
            assert_eq!(text.parse::<Month>(), Err(MonthError), "{text}");
        }
    }
}
