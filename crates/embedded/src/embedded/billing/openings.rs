//! Deletes the openings of old ledger rows.

use crate::Order;
use crate::read_records::ReadRecords;
use crate::table::{self, ClientNumber, KeyRange, tail};
use crate::write_transaction::WriteTransaction;
use std::ops::ControlFlow;
use voight_domain::metering::MeterState;
use voight_domain::ports::StoreError;
use voight_domain::vocabulary::Environment::{Live, Sandbox};
use voight_domain::vocabulary::{Environment, Timestamp};

/// Key of a ledger row.
type LedgerRowKey = (ClientNumber, Environment, u64);

/// Returns at most `limit` rows older than `before` that have an opening. The times of rows ascend, so each ledger is
/// read from its first opening up to the first row that is not due.
pub(super) fn written_before(
    view: &impl ReadRecords,
    before: Timestamp,
    limit: usize,
) -> Result<Vec<LedgerRowKey>, StoreError> {
    let mut due = Vec::new();
    for (client_number, environment) in ledgers(view)? {
        // Most ledgers have nothing due, so the first pass reads a single opening.
        for room in [1, limit - due.len()] {
            let found = expired_in(view, client_number, environment, before, room)?;
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
    client_number: ClientNumber,
    environment: Environment,
    before: Timestamp,
    limit: usize,
) -> Result<Vec<LedgerRowKey>, StoreError> {
    let span = table::openings(client_number, environment);
    let numbers = view.collect(&span, Order::Ascending, limit, |key, _| {
        tail(key).map(u64::from_be_bytes)
    })?;
    let mut due = Vec::new();
    for seq in numbers.into_iter().flatten() {
        if view
            .fetch(&table::row(client_number, environment, seq))?
            .is_some_and(|row| row.at >= before)
        {
            break;
        }
        due.push((client_number, environment, seq));
    }
    Ok(due)
}

/// Deletes the openings and returns their number.
pub(super) fn delete_openings(
    transaction: &mut WriteTransaction<'_>,
    due: Vec<LedgerRowKey>,
) -> usize {
    let removed = due.len();
    for (client_number, environment, seq) in due {
        transaction.remove(table::opening(client_number, environment, seq));
    }
    removed
}

/// Returns all ledgers.
pub(super) fn ledgers(
    view: &impl ReadRecords,
) -> Result<Vec<(ClientNumber, Environment)>, StoreError> {
    let mut found = Vec::new();
    view.scan(
        &KeyRange::<MeterState>::all(),
        Order::Ascending,
        |key, _| {
            if let Some([a, b, c, d, environment]) = tail(key) {
                let environment = if environment == 0 { Live } else { Sandbox };
                found.push((ClientNumber(u32::from_be_bytes([a, b, c, d])), environment));
            }
            ControlFlow::Continue(())
        },
    )?;
    Ok(found)
}
