//! From format 1 to 2: evidence is kept for as long as the context of its check says, and no longer.
//!
//! In format 1 all evidence was kept for the same time, and listed by its age. In format 2 its head says until when it is
//! kept, and it is listed by that; those that were opened first are found by the ids of the checks.

use super::Migration;
use crate::record::{EvidenceByExpiry, EvidenceSummary};
use crate::step::WriteTransaction;
use crate::table::{self, Table};
use crate::typed::{ReadRecords, decode};
use crate::{Read, envelope};
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
        check.ok_or_else(|| envelope::corrupt_record(Table::EvidenceHead.name(), key, "its key is too short"))?;
    let keep_until = head.opened_at.saturating_add(settings(step, main, check)?.retention());
    step.put(table::evidence_head(check), &EvidenceSummary { keep_until: Some(keep_until), ..head });
    step.put(table::by_expiry(keep_until, check), &EvidenceByExpiry);
    step.remove(table::by_age(head.opened_at, check));
    Ok(())
}

/// The settings of the context that the check was opened in, or the usual ones where that cannot be told any more.
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
