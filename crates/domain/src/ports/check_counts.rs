//! Port of the counts of checks, which are displayed only.

use super::StoreError;
use crate::check::{CheckCountKey, CheckCounts, SiteCounts};
use crate::metering::Day;
use crate::vocabulary::ContextId;
use async_trait::async_trait;

/// Counts of a context on a day.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContextDayCounts {
    /// The context.
    pub context: ContextId,
    /// The day on which the checks were opened.
    pub day: Day,
    /// The counts, by site.
    pub counts: SiteCounts,
}

/// Counts of all contexts together on a day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DayTotal {
    /// The day on which the checks were opened.
    pub day: Day,
    /// The counts.
    pub counts: CheckCounts,
}

/// Stores the counts of checks by context and day, and their totals by day. No count holds an address.
#[async_trait]
pub trait CheckCountStore: Send + Sync {
    /// Adds counts to the stored ones, in one transaction. The caller passes at most 1,000 keys.
    ///
    /// Reads the counts of each context and day, and calls [`SiteCounts::add`]. A repeat of the call adds the counts again.
    ///
    /// - `check_counts_add_up`: no added count is lost or added twice, under any concurrency; the total of a day is the sum
    ///   of all contexts.
    /// - `check_counts_are_apart`: counts of a context, a day and a site change no others.
    /// - `origins_beyond_the_limit_are_others`: at most [`MAX_COUNTED_ORIGINS`](crate::check::MAX_COUNTED_ORIGINS) origins of
    ///   a context have counts of their own on a day, also across calls.
    async fn add_check_counts(
        &self,
        counts: Vec<(CheckCountKey, CheckCounts)>,
    ) -> Result<(), StoreError>;

    /// Returns the counts of these contexts from `first` to `last`, both included, in the order of days and contexts. Days
    /// without checks are omitted.
    ///
    /// Reads one record for each context and day, whatever the number of checks and verdicts.
    ///
    /// - `check_counts_are_read_by_day`: exactly the counts of these contexts and days are returned, in order.
    async fn check_counts(
        &self,
        contexts: &[ContextId],
        first: Day,
        last: Day,
    ) -> Result<Vec<ContextDayCounts>, StoreError>;

    /// Returns the totals of all contexts from `first` to `last`, both included, in order. Days without checks are omitted.
    ///
    /// Reads one record for each day, whatever the number of contexts.
    ///
    /// - `check_totals_are_read_by_day`: exactly the totals of these days are returned, in order.
    async fn check_totals(&self, first: Day, last: Day) -> Result<Vec<DayTotal>, StoreError>;

    /// Deletes at most `limit` records of counts and totals of days before `before`, and returns their number.
    ///
    /// - `old_check_counts_are_purged`: exactly the records of these days are deleted.
    async fn purge_check_counts(&self, before: Day, limit: usize) -> Result<usize, StoreError>;
}
