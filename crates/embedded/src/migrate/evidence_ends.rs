//! Migrates from format 1 to 2: evidence has the retention of its check's context.
//!
//! Format 1 had one retention for all evidence and an index by age. In format 2 the evidence summary contains the
//! expiry, and an index is sorted by it; the oldest checks are found by their ids.

use super::Migration;
use crate::read_records::{ReadRecords, decode};
use crate::record::{EvidenceByExpiry, EvidenceSummary};
use crate::table::{self, Table};
use crate::write_transaction::WriteTransaction;
use crate::{Read, checksum};
use voight_domain::check::EvidenceBatch;
use voight_domain::ports::StoreError;
use voight_domain::registry::ContextSettings;
use voight_domain::vocabulary::{CheckId, ContextId};

pub(super) const MIGRATION: Migration = Migration {
    from: 1,
    description: "evidence is kept for as long as its context says",
    table: Table::EvidenceHead,
    rewrite,
};

fn rewrite(step: &mut WriteTransaction<'_>, main: &dyn Read, key: &[u8], value: &[u8]) -> Result<(), StoreError> {
    let head: EvidenceSummary = decode(key, value)?;
    if head.keep_until.is_some() {
        return Ok(());
    }
    let check = table::tail(key).map(CheckId::from_bytes);
    let check =
        check.ok_or_else(|| checksum::corrupt_record(Table::EvidenceHead.name(), key, "its key is too short"))?;
    let keep_until = head.opened_at.saturating_add(settings(step, main, check)?.retention());
    step.put(table::evidence_head(check), &EvidenceSummary { keep_until: Some(keep_until), ..head });
    step.put(table::by_expiry(keep_until, check), &EvidenceByExpiry);
    step.remove(table::by_age(head.opened_at, check));
    Ok(())
}

/// Returns the settings of the check's context, or the defaults if the context is unknown.
fn settings(step: &WriteTransaction<'_>, main: &dyn Read, check: CheckId) -> Result<ContextSettings, StoreError> {
    let batch: Option<EvidenceBatch> = step.list(&table::evidence_of(check), 1)?.pop();
    match batch {
        Some(batch) => Ok(settings_of(main, &batch.challenge.context)?.unwrap_or_default()),
        None => Ok(ContextSettings::default()),
    }
}

fn settings_of(main: &dyn Read, context: &ContextId) -> Result<Option<ContextSettings>, StoreError> {
    let Some(place) = main.fetch(&table::context_key(context))? else { return Ok(None) };
    Ok(main.fetch(&table::context(place.tenant, context))?.map(|context| context.settings))
}
