//! Counts of checks.

use crate::MemoryStore;
use async_trait::async_trait;
use voight_domain::check::{CheckCountKey, CheckCounts, DayAdditions};
use voight_domain::metering::Day;
use voight_domain::ports::{CheckCountStore, ContextDayCounts, DayTotal, StoreError};
use voight_domain::vocabulary::ContextId;

#[async_trait]
impl CheckCountStore for MemoryStore {
    async fn add_check_counts(
        &self,
        counts: Vec<(CheckCountKey, CheckCounts)>,
    ) -> Result<(), StoreError> {
        let mut state = self.state()?;
        for (day, additions) in DayAdditions::by_day(counts) {
            *state.check_totals.entry(day).or_default() += additions.total;
            for (context, sites) in additions.contexts {
                let site_counts = state.check_counts.entry((day, context)).or_default();
                site_counts.add_all(sites);
            }
        }
        Ok(())
    }

    async fn check_counts(
        &self,
        contexts: &[ContextId],
        first: Day,
        last: Day,
    ) -> Result<Vec<ContextDayCounts>, StoreError> {
        let state = self.state()?;
        let requested = state.check_counts.iter().filter(|((day, context), _)| {
            (first..=last).contains(day) && contexts.contains(context)
        });
        let records = requested.map(|((day, context), counts)| ContextDayCounts {
            context: context.clone(),
            day: *day,
            counts: counts.clone(),
        });
        Ok(records.collect())
    }

    async fn check_totals(&self, first: Day, last: Day) -> Result<Vec<DayTotal>, StoreError> {
        let state = self.state()?;
        let requested = state
            .check_totals
            .iter()
            .filter(|(day, _)| (first..=last).contains(day));
        let totals = requested.map(|(day, counts)| DayTotal {
            day: *day,
            counts: *counts,
        });
        Ok(totals.collect())
    }

    async fn purge_check_counts(&self, before: Day, limit: usize) -> Result<usize, StoreError> {
        let mut state = self.state()?;
        let old_counts = state.check_counts.keys().filter(|(day, _)| *day < before);
        let old_counts: Vec<_> = old_counts.take(limit).cloned().collect();
        let old_totals = state.check_totals.keys().filter(|day| **day < before);
        let old_totals: Vec<_> = old_totals.take(limit - old_counts.len()).copied().collect();
        for key in &old_counts {
            state.check_counts.remove(key);
        }
        for day in &old_totals {
            state.check_totals.remove(day);
        }
        Ok(old_counts.len() + old_totals.len())
    }
}
