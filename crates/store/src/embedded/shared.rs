//! Steps that several ports take.

use crate::Order;
use crate::record::ContextPlace;
use crate::step::Step;
use crate::table::{self, Span, Tenant};
use crate::typed::ReadRecords;
use voight_domain::metering::StoredClaim;
use voight_domain::ports::StoreError;
use voight_domain::registry::{AuditEntry, Context};
use voight_domain::secrets::ClaimDigest;
use voight_domain::verdict::Event;
use voight_domain::vocabulary::{ClientId, ContextId, EoaAddress, Timestamp};

/// Ended claims that are removed whenever one is added, so that they never pile up and never take long.
const SWEPT: usize = 2;

/// The number of a client.
pub(super) fn tenant(view: &impl ReadRecords, id: ClientId) -> Result<Option<Tenant>, StoreError> {
    Ok(view.fetch(&table::client(id))?.map(|found| found.tenant))
}

/// A context with its place.
pub(super) fn context(view: &impl ReadRecords, id: &ContextId) -> Result<Option<(ContextPlace, Context)>, StoreError> {
    let Some(place) = view.fetch(&table::context_place(id))? else { return Ok(None) };
    Ok(view.fetch(&table::context(place.tenant, id))?.map(|context| (place, context)))
}

/// Appends an audit entry.
pub(super) fn audit(step: &mut Step<'_>, entry: &AuditEntry) -> Result<(), StoreError> {
    let last = last_number(step, &Span::<AuditEntry>::all())?;
    step.put(table::audit(last + 1), entry);
    Ok(())
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
    sweep(step, now)?;
    step.put(table::claim(tenant, digest), claim);
    step.put(table::claim_end(claim.until, tenant, digest), &crate::record::ClaimEnd);
    Ok(())
}

fn sweep(step: &mut Step<'_>, now: Timestamp) -> Result<(), StoreError> {
    let ended = step.collect(&table::claims_ended(now), Order::Ascending, SWEPT, |key, _| table::of_claim_end(key))?;
    for (until, tenant, digest) in ended.into_iter().flatten() {
        let at = table::claim(tenant, digest);
        // The same claim may have been made anew since; then only its old end goes.
        if step.fetch(&at)?.is_some_and(|claim| claim.until <= now) {
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
