//! Migrates from format 2 to 3: the audit log gets a hash chain and no longer contains addresses.
//!
//! Format 2 logged an override together with its address. A chained entry is immutable, and an erasure must reach every
//! address, so the address is removed before the entry is chained.

use super::Migration;
use crate::read_records::{ReadRecords, decode};
use crate::table::{self, Table};
use crate::write_transaction::WriteTransaction;
use crate::{Read, checksum};
use voight_domain::ports::StoreError;
use voight_domain::registry::{AuditAction, AuditEntry, AuditHead};
use voight_domain::vocabulary::EoaAddress;

pub(super) const MIGRATION: Migration =
    Migration { from: 2, description: "the audit log is chained", table: Table::Audit, rewrite };

fn rewrite(step: &mut WriteTransaction<'_>, _: &dyn Read, key: &[u8], value: &[u8]) -> Result<(), StoreError> {
    let damaged = |what: &str| checksum::corrupt_record(Table::Audit.name(), key, what);
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

/// Removes the address that precedes the description of an override.
fn without_address(mut entry: AuditEntry) -> AuditEntry {
    if entry.action == AuditAction::VerdictOverridden
        && let Some((address, rest)) = entry.detail.split_once(' ')
        && address.parse::<EoaAddress>().is_ok()
    {
        entry.detail = rest.to_owned();
    }
    entry
}
