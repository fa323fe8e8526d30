//! Idempotency records in time-partitioned segments.
//!
//! A record is found by a digest and stored for two days, and nearly every lookup adds one. Sorted by digest, each new
//! record would change a page of its own. Records are therefore stored in segments: a segment accepts records until it
//! is full or an hour has passed, and is sorted by digest. New records thus change few pages, often the same ones, and
//! expired segments are removed from the front.
//!
//! Trade-off: the digest does not tell which segment holds a record. A Bloom filter in memory narrows the search;
//! segments that the filter does not fully cover are always searched. The filter only saves work: results always come
//! from stored records.

mod filter;
mod segments;

#[cfg(test)]
mod tests;

use crate::Order;
use crate::read_records::ReadRecords;
use crate::table::{self, ClientNumber, RecordKey, Segment};
use crate::write_transaction::WriteTransaction;
use segments::Segments;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use voight_domain::metering::IdempotencyRecord;
use voight_domain::ports::StoreError;
use voight_domain::secrets::IdempotencyDigest;
use voight_domain::vocabulary::Timestamp;

/// Number of expired records that are removed with each insert. They never accumulate, and the removal never takes
/// long.
const PURGE_PER_INSERT: usize = 2;
/// Time for which expired records are kept: a clock that ran ahead and is set back finds them again.
const EXPIRY_GRACE: Duration = Duration::from_hours(24);

/// Table of idempotency records. Only the writer thread uses it.
#[derive(Debug, Default)]
pub(crate) struct IdempotencyTable {
    /// Index of the segments; `None` until first used.
    runs: Mutex<Option<Segments>>,
}

impl IdempotencyTable {
    /// Returns the record of a client and a digest, even if it is expired.
    pub(crate) fn find(
        &self,
        step: &WriteTransaction<'_>,
        tenant: ClientNumber,
        digest: IdempotencyDigest,
    ) -> Result<Option<IdempotencyRecord>, StoreError> {
        let mut runs = self.lock();
        Ok(find(loaded_segments(&mut runs, step)?, step, tenant, digest)?.map(|(_, claim)| claim))
    }

    /// Stores a record in place of an older one with its digest. Purges up to `PURGE_PER_INSERT` expired records.
    pub(crate) fn put(
        &self,
        step: &mut WriteTransaction<'_>,
        tenant: ClientNumber,
        digest: IdempotencyDigest,
        claim: &IdempotencyRecord,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let mut runs = self.lock();
        let runs = loaded_segments(&mut runs, step)?;
        purge_expired(runs, step, now.saturating_sub(EXPIRY_GRACE))?;
        if let Some((older, _)) = find(runs, step, tenant, digest)? {
            step.remove(table::idempotency_record(older, tenant, digest));
        }
        step.put(table::idempotency_record(runs.add(digest, claim.expires_at), tenant, digest), claim);
        Ok(())
    }

    fn lock(&self) -> MutexGuard<'_, Option<Segments>> {
        self.runs.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn loaded_segments<'a>(
    runs: &'a mut Option<Segments>,
    step: &WriteTransaction<'_>,
) -> Result<&'a mut Segments, StoreError> {
    let known = match runs.take() {
        Some(known) => known,
        None => Segments::read(step)?,
    };
    Ok(runs.insert(known))
}

fn find(
    runs: &mut Segments,
    step: &WriteTransaction<'_>,
    tenant: ClientNumber,
    digest: IdempotencyDigest,
) -> Result<Option<(Segment, IdempotencyRecord)>, StoreError> {
    runs.load_filter(step)?;
    for run in runs.candidates(digest) {
        if let Some(claim) = step.fetch(&table::idempotency_record(run, tenant, digest))? {
            return Ok(Some((run, claim)));
        }
    }
    Ok(None)
}

/// Purges up to `PURGE_PER_INSERT` records of the oldest segment. Does nothing unless the whole segment expired before
/// `ended`.
fn purge_expired(runs: &mut Segments, step: &mut WriteTransaction<'_>, ended: Timestamp) -> Result<(), StoreError> {
    let Some(run) = runs.oldest().filter(|run| run.is_expired(ended)) else { return Ok(()) };
    let left =
        step.collect(&table::idempotency_records_in(run), Order::Ascending, PURGE_PER_INSERT, |key, _| key.to_vec())?;
    // Removals take effect only with the commit; until then the segment stays in the index.
    if left.is_empty() && step.committed().list(&table::idempotency_records_in(run), 1)?.is_empty() {
        runs.remove(run);
    }
    for key in left {
        step.remove(RecordKey::<IdempotencyRecord>::from_scan(&key));
    }
    Ok(())
}
