//! From format 4 to 5: links between checks and operators' labels are kept, and a timeline knows more kinds of events.
//!
//! Nothing is rewritten. The number only rises, so that an older release refuses what it would take for damage.

use super::Migration;
use crate::Read;
use crate::step::WriteTransaction;
use crate::table::Table;
use voight_domain::ports::StoreError;

pub(super) const MIGRATION: Migration =
    Migration { from: 4, description: "links between checks and labels are kept", table: Table::Identity, rewrite };

#[expect(clippy::unnecessary_wraps, reason = "the signature of a migration")]
const fn rewrite(_: &mut WriteTransaction<'_>, _: &dyn Read, _: &[u8], _: &[u8]) -> Result<(), StoreError> {
    Ok(())
}
