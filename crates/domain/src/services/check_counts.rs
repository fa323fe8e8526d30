//! Counts of checks: stores those in memory, and reads the stored ones.

use super::check_counters::CheckCounters;
use super::{CheckService, Ports};
use crate::check::{CheckCounts, SiteCounts};
use crate::metering::Day;
use crate::ports::{Store, StoreError};
use crate::vocabulary::ContextId;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Maximum number of days that a call reads. Of a longer range the last days are read.
pub const MAX_COUNT_DAYS: i64 = 92;

/// Number of keys in one write, small enough not to delay lookups.
const WRITE_SIZE: usize = 1_000;

/// Use cases of the counts of checks. A stored count is at most one interval of its background job old.
#[derive(Clone)]
pub struct CheckCountService {
    store: Arc<dyn Store>,
    counters: CheckCounters,
}

impl CheckCountService {
    /// Creates the service with these ports, for the counters of these checks.
    pub fn new(ports: &Ports, checks: &CheckService) -> Self {
        Self {
            store: Arc::clone(&ports.store),
            counters: checks.check_counters.clone(),
        }
    }

    /// Stores the counts since the last call.
    ///
    /// # Errors
    ///
    /// The store rejects a write. Its counts and those after it are stored by the next call, except for the counts of a write
    /// with an unknown outcome: they are dropped, so that no check is counted twice.
    pub async fn store_counts(&self) -> Result<(), StoreError> {
        let counts = self.counters.drain();
        let mut first = 0;
        while first < counts.len() {
            let next = counts.len().min(first + WRITE_SIZE);
            let write = self.store.add_check_counts(counts[first..next].to_vec());
            if let Err(error) = write.await {
                let is_unknown = matches!(error, StoreError::MaybeApplied(_));
                let unwritten = if is_unknown { next } else { first };
                self.counters.put_back(&counts[unwritten..]);
                return Err(error);
            }
            first = next;
        }
        Ok(())
    }

    /// Returns the counts of a context by day and site. Days without checks are omitted.
    pub async fn of_context(
        &self,
        context: &ContextId,
        first: Day,
        last: Day,
    ) -> Result<BTreeMap<Day, SiteCounts>, StoreError> {
        let contexts = std::slice::from_ref(context);
        let records = self
            .store
            .check_counts(contexts, first_day(first, last), last)
            .await?;
        let by_day = records
            .into_iter()
            .map(|record| (record.day, record.counts));
        Ok(by_day.collect())
    }

    /// Returns the counts of each context by day. Contexts and days without checks are omitted.
    pub async fn of_contexts(
        &self,
        contexts: &[ContextId],
        first: Day,
        last: Day,
    ) -> Result<BTreeMap<ContextId, BTreeMap<Day, CheckCounts>>, StoreError> {
        let records = self
            .store
            .check_counts(contexts, first_day(first, last), last)
            .await?;
        let mut by_context: BTreeMap<_, BTreeMap<_, _>> = BTreeMap::new();
        for record in records {
            let days = by_context.entry(record.context).or_default();
            days.insert(record.day, record.counts.total());
        }
        Ok(by_context)
    }

    /// Returns the counts of all contexts together by day. Days without checks are omitted.
    pub async fn total(
        &self,
        first: Day,
        last: Day,
    ) -> Result<BTreeMap<Day, CheckCounts>, StoreError> {
        let totals = self
            .store
            .check_totals(first_day(first, last), last)
            .await?;
        Ok(totals
            .into_iter()
            .map(|total| (total.day, total.counts))
            .collect())
    }
}

/// Returns the first day of a range of at most [`MAX_COUNT_DAYS`] days.
fn first_day(first: Day, last: Day) -> Day {
    first.max(Day(last.0.saturating_sub(MAX_COUNT_DAYS - 1)))
}
