//! Usage totals of ledger rows.

use super::{LedgerRow, LookupRow, RowKind};
use crate::vocabulary::Timestamp;
use jiff::tz::TimeZone;
use std::collections::BTreeMap;
use std::fmt;

/// Numbers of lookups.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct LookupCounts {
    /// All billable lookups.
    pub billable: u64,
    /// Lookups within the free allowance.
    pub free: u64,
}

/// Calendar day in UTC: days since the Unix epoch. Displayed as a date, for example `2026-11-21`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Day(pub i64);

/// Numbers of lookups in total, by day and by context. Days and contexts without lookups are omitted.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct UsageTotals {
    /// Total of all rows.
    pub total: LookupCounts,
    /// Totals by day.
    pub days: BTreeMap<Day, LookupCounts>,
    /// Totals by the number of the context within its client.
    pub contexts: BTreeMap<u32, LookupCounts>,
}

impl LookupCounts {
    /// Returns the number of lookups beyond the free allowance.
    pub const fn charged(self) -> u64 {
        self.billable - self.free
    }

    fn add(&mut self, lookup: &LookupRow) {
        self.billable += 1;
        self.free += u64::from(lookup.free);
    }
}

impl Day {
    /// Returns the first instant of the day.
    pub const fn start(self) -> Timestamp {
        Timestamp::from_millis(self.0.saturating_mul(86_400_000))
    }
}

impl UsageTotals {
    /// Counts one more row. A period marker is not a lookup.
    pub fn count(&mut self, row: &LedgerRow) {
        let RowKind::Lookup(lookup) = &row.kind else {
            return;
        };
        self.total.add(lookup);
        self.days.entry(Day(row.at.day())).or_default().add(lookup);
        self.contexts.entry(lookup.context).or_default().add(lookup);
    }
}

impl fmt::Display for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let midnight = self.start();
        match jiff::Timestamp::from_millisecond(midnight.as_millis()) {
            Ok(stamp) => stamp.to_zoned(TimeZone::UTC).date().fmt(f),
            // The calendar has no dates outside of the years -9999 to 9999.
            Err(_) => midnight.fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metering::row::tests::row;
    use proptest::prelude::*;

    fn sum<'a>(parts: impl Iterator<Item = &'a LookupCounts>) -> (u64, u64) {
        parts.fold((0, 0), |(billable, free), part| {
            (billable + part.billable, free + part.free)
        })
    }

    #[test]
    fn usage_days_are_utc_dates() {
        let last = "2026-11-21T23:59:59.999Z".parse::<Timestamp>().unwrap();
        assert_eq!(Day(last.day()).to_string(), "2026-11-21");
        assert_eq!(Day(last.day() + 1).to_string(), "2026-11-22");
        assert_eq!(Day(-1).to_string(), "1969-12-31");
        assert!(Day(i64::MAX).to_string().ends_with("ms since 1970"));
    }

    proptest! {
        #[test]
        fn days_and_contexts_add_up_to_the_total(rows in proptest::collection::vec(row(), 0..40)) {
            let mut usage = UsageTotals::default();
            for row in &rows {
                usage.count(row);
            }
            let total = (usage.total.billable, usage.total.free);
            prop_assert_eq!(sum(usage.days.values()), total);
            prop_assert_eq!(sum(usage.contexts.values()), total);
            let lookups = rows.iter().filter(|row| matches!(row.kind, RowKind::Lookup(_))).count() as u64;
            prop_assert_eq!(usage.total.billable, lookups);
            prop_assert_eq!(usage.total.charged() + usage.total.free, lookups);
            prop_assert!(usage.days.values().chain(usage.contexts.values()).all(|counts| counts.billable > 0));
        }
    }
}
