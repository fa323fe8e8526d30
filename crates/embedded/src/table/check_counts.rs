//! Record keys of the counts of checks.

use super::{KeyRange, RecordKey, tail};
use voight_domain::check::{CheckCounts, SiteCounts};
use voight_domain::metering::Day;
use voight_domain::vocabulary::ContextId;
use voight_encoding::keyspace::{from_sortable_bytes, to_sortable_bytes};

/// Key of the counts of a context on a day.
pub(crate) fn check_count(day: Day, context: &ContextId) -> RecordKey<SiteCounts> {
    RecordKey::new(&[&to_sortable_bytes(day.start()), context.as_str().as_bytes()])
}

/// Range of the counts of days before `day`.
pub(crate) fn check_counts_before(day: Day) -> KeyRange<SiteCounts> {
    KeyRange::all().ending_before(&[&to_sortable_bytes(day.start())])
}

/// Key of the total of a day.
pub(crate) fn check_total(day: Day) -> RecordKey<CheckCounts> {
    RecordKey::new(&[&to_sortable_bytes(day.start())])
}

/// Range of the totals of days from `first` to `last`, both included.
pub(crate) fn check_totals(first: Day, last: Day) -> KeyRange<CheckCounts> {
    let day_after = Day(last.0.saturating_add(1));
    KeyRange::all()
        .from(&[&to_sortable_bytes(first.start())])
        .ending_before(&[&to_sortable_bytes(day_after.start())])
}

/// Range of the totals of days before `day`.
pub(crate) fn check_totals_before(day: Day) -> KeyRange<CheckCounts> {
    KeyRange::all().ending_before(&[&to_sortable_bytes(day.start())])
}

/// Returns the day in the key of a total.
pub(crate) fn day_of_total(key: &[u8]) -> Option<Day> {
    tail(key).map(|bytes| Day(from_sortable_bytes(bytes).day()))
}
