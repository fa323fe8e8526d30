//! From format 5 to 6: claims lie in runs.
//!
//! In format 5 a claim lay by its digest, and its end beside it in another table. It goes into the run of the hour in which it
//! ends; ends that no claim leads to any more go.

use super::Migration;
use crate::step::WriteTransaction;
use crate::table::{self, Segment, Table};
use crate::typed::ReadRecords;
use crate::{Read, envelope};
use voight_domain::ports::StoreError;

pub(super) const MIGRATION: Migration =
    Migration { from: 5, description: "claims lie together as they end", table: Table::ClaimEnd, rewrite };

fn rewrite(step: &mut WriteTransaction<'_>, _: &dyn Read, key: &[u8], _: &[u8]) -> Result<(), StoreError> {
    let damaged = || envelope::corrupt_record(Table::ClaimEnd.name(), key, "its key has a wrong length");
    let (until, tenant, digest) = table::of_claim_end(key).ok_or_else(damaged)?;
    let older = table::claim_by_digest(tenant, digest);
    // One that was made anew since has another end.
    if let Some(claim) = step.fetch(&older)?.filter(|claim| claim.0.expires_at == until) {
        step.put(table::idempotency_record(Segment::for_hour(until), tenant, digest), &claim.0);
        step.remove(older);
    }
    step.remove(table::claim_end(until, tenant, digest));
    Ok(())
}
