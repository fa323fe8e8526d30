//! Idempotency claims.
//!
//! A claim is found by a digest, kept for two days, and one comes with nearly every lookup. In the order of their digests, each
//! new one would change a page of its own among all that are there. So they lie in runs: a run takes claims until it has
//! enough, or an hour has passed, and they are sorted within it. New claims therefore change few pages, many of them the same,
//! and what has ended is removed from the front.
//!
//! The price is that nobody knows by the digest which run a claim is in. A filter in memory says in which it may be; a run
//! that the filter does not know whole is always looked into. So the filter only saves work: what is answered comes from
//! what is stored.

mod filter;
mod runs;

#[cfg(test)]
mod tests;

use crate::Order;
use crate::step::WriteTransaction;
use crate::table::{self, ClientNumber, RecordKey, Segment};
use crate::typed::ReadRecords;
use runs::Segments;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use voight_domain::metering::IdempotencyRecord;
use voight_domain::ports::StoreError;
use voight_domain::secrets::IdempotencyDigest;
use voight_domain::vocabulary::Timestamp;

/// Ended claims that are removed whenever one is added, so that they never pile up and never take long.
const PURGE_PER_INSERT: usize = 2;
/// How long an ended claim stays all the same: a clock that was ahead for a while and is put back finds it again.
const EXPIRY_GRACE: Duration = Duration::from_hours(24);

/// The claims of a store. Only the one who writes asks.
#[derive(Debug, Default)]
pub(crate) struct IdempotencyTable {
    /// `None` until somebody asks.
    runs: Mutex<Option<Segments>>,
}

impl IdempotencyTable {
    /// The claim under a client and a digest, whether or not it has ended.
    pub(crate) fn find(
        &self,
        step: &WriteTransaction<'_>,
        tenant: ClientNumber,
        digest: IdempotencyDigest,
    ) -> Result<Option<IdempotencyRecord>, StoreError> {
        let mut runs = self.lock();
        Ok(find(loaded_segments(&mut runs, step)?, step, tenant, digest)?.map(|(_, claim)| claim))
    }

    /// Keeps a claim in place of an older one with its digest, and removes a few that have ended.
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

/// Removes a few claims of the first run, if all of it has ended before `ended`.
fn purge_expired(runs: &mut Segments, step: &mut WriteTransaction<'_>, ended: Timestamp) -> Result<(), StoreError> {
    let Some(run) = runs.oldest().filter(|run| run.is_expired(ended)) else { return Ok(()) };
    let left =
        step.collect(&table::idempotency_records_in(run), Order::Ascending, PURGE_PER_INSERT, |key, _| key.to_vec())?;
    // What is removed here is only gone once it is committed; until then the run is not forgotten.
    if left.is_empty() && step.committed().list(&table::idempotency_records_in(run), 1)?.is_empty() {
        runs.remove(run);
    }
    for key in left {
        step.remove(RecordKey::<IdempotencyRecord>::from_scan(&key));
    }
    Ok(())
}
