//! Steps that several ports take.

use crate::Order;
use crate::record::ContextPlace;
use crate::step::Step;
use crate::table::{self, Span, Tenant};
use crate::typed::ReadRecords;
use std::time::Duration;
use voight_domain::metering::StoredClaim;
use voight_domain::ports::StoreError;
use voight_domain::registry::{AuditEntry, AuditHead, Context};
use voight_domain::secrets::ClaimDigest;
use voight_domain::verdict::Event;
use voight_domain::vocabulary::{ClientId, ContextId, EoaAddress, Timestamp};

/// Ended claims that are removed whenever one is added, so that they never pile up and never take long.
const SWEPT: usize = 2;
/// How long an ended claim stays all the same: a clock that was ahead for a while and is put back finds it again.
const GRACE: Duration = Duration::from_hours(24);

/// The number of a client.
pub(super) fn tenant(view: &impl ReadRecords, id: ClientId) -> Result<Option<Tenant>, StoreError> {
    Ok(view.fetch(&table::client(id))?.map(|found| found.tenant))
}

/// A context with its place.
pub(super) fn context(view: &impl ReadRecords, id: &ContextId) -> Result<Option<(ContextPlace, Context)>, StoreError> {
    let Some(place) = view.fetch(&table::context_place(id))? else { return Ok(None) };
    Ok(view.fetch(&table::context(place.tenant, id))?.map(|context| (place, context)))
}

/// Appends an audit entry to the log and to its chain.
pub(super) fn audit(step: &mut Step<'_>, entry: &AuditEntry) -> Result<(), StoreError> {
    let end = audit_head(step)?.after(entry);
    step.put(table::audit(end.seq), entry);
    step.put(table::audit_head(), &end);
    Ok(())
}

/// Where the audit log ends.
pub(super) fn audit_head(view: &impl ReadRecords) -> Result<AuditHead, StoreError> {
    Ok(view.fetch(&table::audit_head())?.unwrap_or_else(AuditHead::genesis))
}

/// Appends an event to the timeline of an address.
pub(super) fn event(
    step: &mut Step<'_>,
    context: ContextPlace,
    address: &EoaAddress,
    event: &Event,
) -> Result<(), StoreError> {
    let last = last_number(step, &table::timeline(context, address))?;
    step.put(table::event(context, address, last + 1), event);
    Ok(())
}

/// Keeps a claim, and removes a few that have ended.
pub(super) fn claim(
    step: &mut Step<'_>,
    tenant: Tenant,
    digest: ClaimDigest,
    claim: &StoredClaim,
    now: Timestamp,
) -> Result<(), StoreError> {
    sweep(step, now.minus(GRACE))?;
    step.put(table::claim(tenant, digest), claim);
    step.put(table::claim_end(claim.until, tenant, digest), &crate::record::ClaimEnd);
    Ok(())
}

fn sweep(step: &mut Step<'_>, ended: Timestamp) -> Result<(), StoreError> {
    let ends = step.collect(&table::claims_ended(ended), Order::Ascending, SWEPT, |key, _| table::of_claim_end(key))?;
    for (until, tenant, digest) in ends.into_iter().flatten() {
        let at = table::claim(tenant, digest);
        // The same claim may have been made anew since; then only its old end goes.
        if step.fetch(&at)?.is_some_and(|claim| claim.until < ended) {
            step.remove(at);
        }
        step.remove(table::claim_end(until, tenant, digest));
    }
    Ok(())
}

/// The number at the end of the last key, 0 if there is none.
fn last_number<R: crate::record::Record>(view: &impl ReadRecords, span: &Span<R>) -> Result<u64, StoreError> {
    let last = view.collect(span, Order::Descending, 1, |key, _| table::tail(key).map_or(0, u64::from_be_bytes))?;
    Ok(last.first().copied().unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::FaultyEngine;
    use crate::{Batch, Engine};
    use voight_domain::metering::{Claim, ClaimAnswer};

    const CLIENT: Tenant = Tenant(1);

    fn make(engine: &FaultyEngine, digest: u8, millis: i64) {
        let now = Timestamp::from_millis(millis);
        let made = Claim { key: ClaimDigest([digest; 16]), parameters: ClaimDigest([0; 16]) };
        let id = ContextId::new(&"quest".parse().unwrap(), now, [1; 10]);
        let stored = StoredClaim::new(&made, ClaimAnswer::Context(id), now);
        let (snapshot, group) = (engine.snapshot().unwrap(), Batch::default());
        let mut step = Step::over(&snapshot, &group);
        claim(&mut step, CLIENT, made.key, &stored, now).unwrap();
        engine.apply(&step.into_batch()).unwrap();
    }

    fn is_kept(engine: &FaultyEngine, digest: u8) -> bool {
        engine.snapshot().unwrap().holds(&table::claim(CLIENT, ClaimDigest([digest; 16]))).unwrap()
    }

    #[test]
    fn claims_are_swept_a_day_after_they_ended_unless_they_were_made_anew() {
        const HOUR: i64 = 3_600_000;
        let engine = FaultyEngine::default();
        make(&engine, 1, 0);
        make(&engine, 2, 1);
        make(&engine, 2, 30 * HOUR);
        make(&engine, 3, 48 * HOUR);
        assert!(is_kept(&engine, 1), "the claim ended a day ago, and no longer");
        make(&engine, 4, 48 * HOUR + 2);
        assert_eq!([1, 2, 3, 4].map(|digest| is_kept(&engine, digest)), [false, true, true, true]);
        assert_eq!(engine.entries().len(), 6, "of three claims, and of their ends, are left");
    }
}
