//! Counts of checks. Each addition locks the totals of its days first, so additions to a day never overlap.

use crate::PostgresStore;
use crate::connection::Transaction;
use crate::error::Error;
use crate::sql::check_counts;
use crate::value::{RowExt, Value, values};
use async_trait::async_trait;
use std::collections::BTreeMap;
use tokio_postgres::Row;
use voight_domain::check::{CheckCountKey, CheckCounts, DayAdditions, SiteCounts};
use voight_domain::metering::Day;
use voight_domain::ports::{CheckCountStore, ContextDayCounts, DayTotal, StoreError};
use voight_domain::vocabulary::{ContextId, Timestamp};
use voight_encoding::Encode;

#[async_trait]
impl CheckCountStore for PostgresStore {
    async fn add_check_counts(
        &self,
        counts: Vec<(CheckCountKey, CheckCounts)>,
    ) -> Result<(), StoreError> {
        let days = DayAdditions::by_day(counts);
        self.write(days, |transaction, days| Box::pin(add(transaction, days)))
            .await
    }

    async fn check_counts(
        &self,
        contexts: &[ContextId],
        first: Day,
        last: Day,
    ) -> Result<Vec<ContextDayCounts>, StoreError> {
        let arguments = values![ids(contexts), first.start(), last.start()];
        self.read(arguments, |transaction, arguments| {
            Box::pin(list(transaction, arguments))
        })
        .await
    }

    async fn check_totals(&self, first: Day, last: Day) -> Result<Vec<DayTotal>, StoreError> {
        let arguments = values![first.start(), last.start()];
        self.read(arguments, |transaction, arguments| {
            Box::pin(totals(transaction, arguments))
        })
        .await
    }

    async fn purge_check_counts(&self, before: Day, limit: usize) -> Result<usize, StoreError> {
        // Every day with counts has a total. Without an old one nothing is written.
        let last = Day(before.0.saturating_sub(1));
        if self.check_totals(Day(i64::MIN), last).await?.is_empty() {
            return Ok(0);
        }
        self.write((before, limit), |transaction, (before, limit)| {
            Box::pin(purge(transaction, *before, *limit))
        })
        .await
    }
}

async fn add(transaction: &Transaction, days: &BTreeMap<Day, DayAdditions>) -> Result<(), Error> {
    for (day, DayAdditions { total, contexts }) in days {
        let day_total = lock_total(transaction, *day).await? + *total;
        let row = values![day.start(), day_total.encode()];
        transaction.enqueue_write(check_counts::SET_CHECK_TOTAL, row);
        let mut stored_counts = counts_of_day(transaction, *day, contexts.keys()).await?;
        for (context, sites) in contexts {
            let mut site_counts = stored_counts.remove(context).unwrap_or_default();
            site_counts.add_all(sites.clone());
            let row = values![day.start(), context, site_counts.encode()];
            transaction.enqueue_write(check_counts::SET_CHECK_COUNT, row);
        }
    }
    Ok(())
}

/// Locks the total of a day, whose row is inserted before its first counts, and returns it.
async fn lock_total(transaction: &Transaction, day: Day) -> Result<CheckCounts, Error> {
    let key = values![day.start()];
    let locked_total = transaction
        .fetch(check_counts::LOCK_CHECK_TOTAL, key.clone())
        .await?;
    if let Some(total) = locked_total {
        return Ok(total);
    }
    let row = values![day.start(), CheckCounts::default().encode()];
    transaction
        .execute_sql(check_counts::FIRST_CHECK_TOTAL, row)
        .await?;
    // Another transaction may have inserted the row, and has then committed it.
    let locked_total = transaction
        .fetch(check_counts::LOCK_CHECK_TOTAL, key)
        .await?;
    locked_total.ok_or_else(|| Error::damaged("the total of a day is missing"))
}

async fn counts_of_day(
    transaction: &Transaction,
    day: Day,
    contexts: impl Iterator<Item = &ContextId>,
) -> Result<BTreeMap<ContextId, SiteCounts>, Error> {
    let arguments = values![ids(contexts), day.start()];
    let rows = transaction
        .rows(check_counts::CHECK_COUNTS_OF_DAY, arguments)
        .await?;
    rows.iter()
        .map(|row| Ok((context(row, 0)?, row.record(1)?)))
        .collect()
}

async fn list(
    transaction: &Transaction,
    arguments: &[Value],
) -> Result<Vec<ContextDayCounts>, Error> {
    let rows = transaction
        .rows(check_counts::CHECK_COUNTS, arguments.to_vec())
        .await?;
    let records = rows.iter().map(|row| {
        Ok(ContextDayCounts {
            context: context(row, 0)?,
            day: day(row, 1)?,
            counts: row.record(2)?,
        })
    });
    records.collect()
}

async fn totals(transaction: &Transaction, arguments: &[Value]) -> Result<Vec<DayTotal>, Error> {
    let rows = transaction
        .rows(check_counts::CHECK_TOTALS, arguments.to_vec())
        .await?;
    let totals = rows.iter().map(|row| {
        Ok(DayTotal {
            day: day(row, 0)?,
            counts: row.record(1)?,
        })
    });
    totals.collect()
}

async fn purge(transaction: &Transaction, before: Day, limit: usize) -> Result<usize, Error> {
    let mut purged_records = 0;
    for statement in [
        check_counts::PURGE_CHECK_COUNTS,
        check_counts::PURGE_CHECK_TOTALS,
    ] {
        let arguments = values![before.start(), limit - purged_records];
        let count = transaction.execute_sql(statement, arguments).await?;
        purged_records += usize::try_from(count).map_err(Error::damaged)?;
    }
    Ok(purged_records)
}

/// Returns the ids of contexts as the values of a column.
fn ids<'a>(contexts: impl IntoIterator<Item = &'a ContextId>) -> Vec<Vec<u8>> {
    let bytes = |context: &ContextId| context.as_str().as_bytes().to_vec();
    contexts.into_iter().map(bytes).collect()
}

fn context(row: &Row, index: usize) -> Result<ContextId, Error> {
    row.utf8(index)?.parse().map_err(Error::damaged)
}

fn day(row: &Row, index: usize) -> Result<Day, Error> {
    let start = Timestamp::from_millis(row.column(index)?);
    Ok(Day(start.day()))
}
