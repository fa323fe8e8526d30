//! Migrates from format 4 to 5: account linkage, labels, and more kinds of timeline events.
//!
//! No record is rewritten. The version increases only so that an older release reports a newer store and not damage.

use super::Migration;
use crate::Read;
use crate::table::Table;
use crate::write_transaction::WriteTransaction;
use voight_domain::ports::StoreError;

pub(super) const MIGRATION: Migration =
    Migration { from: 4, description: "links between checks and labels are kept", table: Table::Identity, rewrite };

#[expect(clippy::unnecessary_wraps, reason = "the signature of a migration")]
const fn rewrite(_: &mut WriteTransaction<'_>, _: &dyn Read, _: &[u8], _: &[u8]) -> Result<(), StoreError> {
    Ok(())
}
