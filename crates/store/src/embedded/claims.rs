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
use crate::step::Step;
use crate::table::{self, At, Run, Tenant};
use crate::typed::ReadRecords;
use runs::Runs;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use voight_domain::metering::StoredClaim;
use voight_domain::ports::StoreError;
use voight_domain::secrets::ClaimDigest;
use voight_domain::vocabulary::Timestamp;

/// Ended claims that are removed whenever one is added, so that they never pile up and never take long.
const SWEPT: usize = 2;
/// How long an ended claim stays all the same: a clock that was ahead for a while and is put back finds it again.
const GRACE: Duration = Duration::from_hours(24);

/// The claims of a store. Only the one who writes asks.
#[derive(Debug, Default)]
pub(crate) struct Claims {
    /// `None` until somebody asks.
    runs: Mutex<Option<Runs>>,
}

impl Claims {
    /// The claim under a client and a digest, whether or not it has ended.
    pub(crate) fn find(
        &self,
        step: &Step<'_>,
        tenant: Tenant,
        digest: ClaimDigest,
    ) -> Result<Option<StoredClaim>, StoreError> {
        let mut runs = self.lock();
        Ok(find(known(&mut runs, step)?, step, tenant, digest)?.map(|(_, claim)| claim))
    }

    /// Keeps a claim in place of an older one with its digest, and removes a few that have ended.
    pub(crate) fn put(
        &self,
        step: &mut Step<'_>,
        tenant: Tenant,
        digest: ClaimDigest,
        claim: &StoredClaim,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let mut runs = self.lock();
        let runs = known(&mut runs, step)?;
        sweep(runs, step, now.minus(GRACE))?;
        if let Some((older, _)) = find(runs, step, tenant, digest)? {
            step.remove(table::claim(older, tenant, digest));
        }
        step.put(table::claim(runs.add(digest, claim.until), tenant, digest), claim);
        Ok(())
    }

    fn lock(&self) -> MutexGuard<'_, Option<Runs>> {
        self.runs.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn known<'a>(runs: &'a mut Option<Runs>, step: &Step<'_>) -> Result<&'a mut Runs, StoreError> {
    let known = match runs.take() {
        Some(known) => known,
        None => Runs::read(step)?,
    };
    Ok(runs.insert(known))
}

fn find(
    runs: &mut Runs,
    step: &Step<'_>,
    tenant: Tenant,
    digest: ClaimDigest,
) -> Result<Option<(Run, StoredClaim)>, StoreError> {
    runs.learn(step)?;
    for run in runs.candidates(digest) {
        if let Some(claim) = step.fetch(&table::claim(run, tenant, digest))? {
            return Ok(Some((run, claim)));
        }
    }
    Ok(None)
}

/// Removes a few claims of the first run, if all of it has ended before `ended`.
fn sweep(runs: &mut Runs, step: &mut Step<'_>, ended: Timestamp) -> Result<(), StoreError> {
    let Some(run) = runs.first().filter(|run| run.is_over(ended)) else { return Ok(()) };
    let left = step.collect(&table::claims_of(run), Order::Ascending, SWEPT, |key, _| key.to_vec())?;
    // What is removed here is only gone once it is committed; until then the run is not forgotten.
    if left.is_empty() && step.committed().list(&table::claims_of(run), 1)?.is_empty() {
        runs.forget(run);
    }
    for key in left {
        step.remove(At::<StoredClaim>::seen(&key));
    }
    Ok(())
}
