//! From format 2 to 3: the audit log is chained, and names no address.
//!
//! In format 2 an overridden verdict was audited with its address. A chained entry can never be written anew, and an erase
//! has to reach every address, so it is taken out before the entry is chained.

use super::Migration;
use crate::step::WriteTransaction;
use crate::table::{self, Table};
use crate::typed::{ReadRecords, decode};
use crate::{Read, envelope};
use voight_domain::ports::StoreError;
use voight_domain::registry::{AuditAction, AuditEntry, AuditHead};
use voight_domain::vocabulary::EoaAddress;

pub(super) const MIGRATION: Migration =
    Migration { from: 2, description: "the audit log is chained", table: Table::Audit, rewrite };

fn rewrite(step: &mut WriteTransaction<'_>, _: &dyn Read, key: &[u8], value: &[u8]) -> Result<(), StoreError> {
    let damaged = |what: &str| envelope::corrupt_record(Table::Audit.name(), key, what);
    let seq = table::tail(key).map(u64::from_be_bytes).ok_or_else(|| damaged("its key is too short"))?;
    let end = step.fetch(&table::audit_head())?.unwrap_or_else(AuditHead::genesis);
    if seq <= end.seq {
        return Ok(());
    }
    let entry = without_address(decode(key, value)?);
    let end = end.extended_by(&entry);
    if end.seq != seq {
        return Err(damaged("one or more before it are missing"));
    }
    step.put(table::audit(seq), &entry);
    step.put(table::audit_head(), &end);
    Ok(())
}

/// The entry without the address in front of what an override was to.
fn without_address(mut entry: AuditEntry) -> AuditEntry {
    if entry.action == AuditAction::VerdictOverridden
        && let Some((address, rest)) = entry.detail.split_once(' ')
        && address.parse::<EoaAddress>().is_ok()
    {
        entry.detail = rest.to_owned();
    }
    entry
}
