//! Counts of checks.

use crate::EmbeddedStore;
use crate::read_records::ReadRecords;
use crate::table::{self, RecordKey};
use crate::write_transaction::WriteTransaction;
use async_trait::async_trait;
use std::collections::BTreeMap;
use voight_domain::check::{CheckCountKey, CheckCounts, DayAdditions, SiteCounts};
use voight_domain::metering::Day;
use voight_domain::ports::{CheckCountStore, ContextDayCounts, DayTotal, StoreError};
use voight_domain::vocabulary::ContextId;
use voight_engine::{Engine, Order};

/// Keys of expired counts and totals.
struct ExpiredCounts {
    counts: Vec<RecordKey<SiteCounts>>,
    totals: Vec<RecordKey<CheckCounts>>,
}

#[async_trait]
impl<E: Engine> CheckCountStore for EmbeddedStore<E> {
    async fn add_check_counts(
        &self,
        counts: Vec<(CheckCountKey, CheckCounts)>,
    ) -> Result<(), StoreError> {
        let days = DayAdditions::by_day(counts);
        self.main
            .write(move |transaction| add(transaction, days))
            .await
    }

    async fn check_counts(
        &self,
        contexts: &[ContextId],
        first: Day,
        last: Day,
    ) -> Result<Vec<ContextDayCounts>, StoreError> {
        let mut contexts: Vec<_> = contexts.iter().collect();
        contexts.sort_unstable();
        contexts.dedup();
        self.main.read(|view| {
            let mut records = Vec::new();
            // Every day with counts has a total.
            for DayTotal { day, .. } in totals(view, first, last)? {
                for context in &contexts {
                    let counts = view.fetch(&table::check_count(day, context))?;
                    records.extend(counts.map(|counts| ContextDayCounts {
                        context: (*context).clone(),
                        day,
                        counts,
                    }));
                }
            }
            Ok(records)
        })
    }

    async fn check_totals(&self, first: Day, last: Day) -> Result<Vec<DayTotal>, StoreError> {
        self.main.read(|view| totals(view, first, last))
    }

    async fn purge_check_counts(&self, before: Day, limit: usize) -> Result<usize, StoreError> {
        let expired = self.main.read(|view| expired_counts(view, before, limit))?;
        let count = expired.counts.len() + expired.totals.len();
        if count == 0 {
            return Ok(0);
        }
        self.main
            .write(move |transaction| {
                for key in expired.counts {
                    transaction.remove(key);
                }
                for key in expired.totals {
                    transaction.remove(key);
                }
                Ok(count)
            })
            .await
    }
}

fn add(
    transaction: &mut WriteTransaction<'_>,
    days: BTreeMap<Day, DayAdditions>,
) -> Result<(), StoreError> {
    for (day, additions) in days {
        let key = table::check_total(day);
        let total = transaction.fetch(&key)?.unwrap_or_default() + additions.total;
        transaction.put(key, &total);
        for (context, sites) in additions.contexts {
            let key = table::check_count(day, &context);
            let mut site_counts = transaction.fetch(&key)?.unwrap_or_default();
            site_counts.add_all(sites);
            transaction.put(key, &site_counts);
        }
    }
    Ok(())
}

fn totals(view: &impl ReadRecords, first: Day, last: Day) -> Result<Vec<DayTotal>, StoreError> {
    if first > last {
        return Ok(Vec::new());
    }
    let days = table::check_totals(first, last);
    let totals = view.collect(&days, Order::Ascending, usize::MAX, |key, counts| {
        Some(DayTotal {
            day: table::day_of_total(key)?,
            counts,
        })
    })?;
    Ok(totals.into_iter().flatten().collect())
}

/// Returns at most `limit` keys of days before `before`. The counts of a day precede its total, by which they are found.
fn expired_counts(
    view: &impl ReadRecords,
    before: Day,
    limit: usize,
) -> Result<ExpiredCounts, StoreError> {
    let counts = view.collect(
        &table::check_counts_before(before),
        Order::Ascending,
        limit,
        |key, _| RecordKey::from_scan(key),
    )?;
    let totals = view.collect(
        &table::check_totals_before(before),
        Order::Ascending,
        limit - counts.len(),
        |key, _| RecordKey::from_scan(key),
    )?;
    Ok(ExpiredCounts { counts, totals })
}
