//! Migrates from format 5 to 6: idempotency records are stored in segments.
//!
//! Format 5 stored a record under its digest, and its expiry in another table. The record moves to the segment of the
//! hour in which it expires; expiries without a record are removed.

use super::Migration;
use crate::read_records::ReadRecords;
use crate::table::{self, Segment, Table};
use crate::write_transaction::WriteTransaction;
use crate::{Read, checksum};
use voight_domain::ports::StoreError;

pub(super) const MIGRATION: Migration =
    Migration { from: 5, description: "claims lie together as they end", table: Table::ClaimEnd, rewrite };

fn rewrite(step: &mut WriteTransaction<'_>, _: &dyn Read, key: &[u8], _: &[u8]) -> Result<(), StoreError> {
    let damaged = || checksum::corrupt_record(Table::ClaimEnd.name(), key, "its key has a wrong length");
    let (until, tenant, digest) = table::of_claim_end(key).ok_or_else(damaged)?;
    let older = table::claim_by_digest(tenant, digest);
    // A record that was renewed in the meantime has another expiry.
    if let Some(claim) = step.fetch(&older)?.filter(|claim| claim.0.expires_at == until) {
        step.put(table::idempotency_record(Segment::for_hour(until), tenant, digest), &claim.0);
        step.remove(older);
    }
    step.remove(table::claim_end(until, tenant, digest));
    Ok(())
}
