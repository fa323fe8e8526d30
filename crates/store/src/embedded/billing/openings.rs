//! Forgetting what opens the commitments of old rows.

use crate::Order;
use crate::step::WriteTransaction;
use crate::table::{self, ClientNumber, KeyRange, tail};
use crate::typed::ReadRecords;
use std::ops::ControlFlow;
use voight_domain::metering::MeterState;
use voight_domain::ports::StoreError;
use voight_domain::vocabulary::Environment::{Live, Sandbox};
use voight_domain::vocabulary::{Environment, Timestamp};

/// A row of a ledger.
type LedgerRowKey = (ClientNumber, Environment, u64);

/// At most `limit` rows with an opening that were written before `before`. Rows are dated in their order, so each ledger is
/// read from its first opening on, and only as far as they are due.
pub(super) fn written_before(
    view: &impl ReadRecords,
    before: Timestamp,
    limit: usize,
) -> Result<Vec<LedgerRowKey>, StoreError> {
    let mut due = Vec::new();
    for (tenant, environment) in ledgers(view)? {
        // Most ledgers have nothing due, which the first opening tells.
        for room in [1, limit - due.len()] {
            let found = expired_in(view, (tenant, environment), before, room)?;
            if found.len() < room || room == limit - due.len() {
                due.extend(found);
                break;
            }
        }
        if due.len() == limit {
            break;
        }
    }
    Ok(due)
}

fn expired_in(
    view: &impl ReadRecords,
    (tenant, environment): (ClientNumber, Environment),
    before: Timestamp,
    limit: usize,
) -> Result<Vec<LedgerRowKey>, StoreError> {
    let span = table::openings(tenant, environment);
    let numbers = view.collect(&span, Order::Ascending, limit, |key, _| tail(key).map(u64::from_be_bytes))?;
    let mut due = Vec::new();
    for seq in numbers.into_iter().flatten() {
        if view.fetch(&table::row(tenant, environment, seq))?.is_some_and(|row| row.at >= before) {
            break;
        }
        due.push((tenant, environment, seq));
    }
    Ok(due)
}

/// Removes these openings; how many there were.
pub(super) fn delete_openings(step: &mut WriteTransaction<'_>, due: Vec<LedgerRowKey>) -> usize {
    let removed = due.len();
    for (tenant, environment, seq) in due {
        step.remove(table::opening(tenant, environment, seq));
    }
    removed
}

/// Every ledger there is.
fn ledgers(view: &impl ReadRecords) -> Result<Vec<(ClientNumber, Environment)>, StoreError> {
    let mut found = Vec::new();
    view.scan(&KeyRange::<MeterState>::all(), Order::Ascending, |key, _| {
        if let Some([a, b, c, d, environment]) = tail(key) {
            let environment = if environment == 0 { Live } else { Sandbox };
            found.push((ClientNumber(u32::from_be_bytes([a, b, c, d])), environment));
        }
        ControlFlow::Continue(())
    })?;
    Ok(found)
}
