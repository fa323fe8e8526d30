//! Deletes the openings of old ledger rows.

use crate::read_records::ReadRecords;
use crate::table::{self, ClientNumber, KeyRange, tail};
use crate::write_transaction::WriteTransaction;
use std::ops::ControlFlow;
use voight_domain::metering::MeterState;
use voight_domain::ports::StoreError;
use voight_domain::vocabulary::Environment::{Live, Sandbox};
use voight_domain::vocabulary::{Environment, Timestamp};
use voight_engine::Order;

/// Key of a ledger row.
type LedgerRowKey = (ClientNumber, Environment, u64);

/// Returns at most `limit` rows older than `before` that have an opening. The times of rows ascend, so each ledger is
/// read from its first opening up to the first row that is not due.
pub(super) fn written_before(
    view: &impl ReadRecords,
    before: Timestamp,
    limit: usize,
) -> Result<Vec<LedgerRowKey>, StoreError> {
    let mut expired_openings = Vec::new();
    for (client_number, environment) in ledgers(view)? {
        // Most ledgers have nothing due, so the first pass reads a single opening.
        for batch_limit in [1, limit - expired_openings.len()] {
            let openings = expired_in(view, client_number, environment, before, batch_limit)?;
            if openings.len() < batch_limit || batch_limit == limit - expired_openings.len() {
                expired_openings.extend(openings);
                break;
            }
        }
        if expired_openings.len() == limit {
            break;
        }
    }
    Ok(expired_openings)
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
    let mut expired_openings = Vec::new();
    for seq in numbers.into_iter().flatten() {
        if view
            .fetch(&table::row(client_number, environment, seq))?
            .is_some_and(|row| row.at >= before)
        {
            break;
        }
        expired_openings.push((client_number, environment, seq));
    }
    Ok(expired_openings)
}

/// Deletes the openings and returns their number.
pub(super) fn delete_openings(
    transaction: &mut WriteTransaction<'_>,
    openings: Vec<LedgerRowKey>,
) -> usize {
    let count = openings.len();
    for (client_number, environment, seq) in openings {
        transaction.remove(table::opening(client_number, environment, seq));
    }
    count
}

/// Returns all ledgers.
pub(super) fn ledgers(
    view: &impl ReadRecords,
) -> Result<Vec<(ClientNumber, Environment)>, StoreError> {
    let mut ledgers = Vec::new();
    view.scan(
        &KeyRange::<MeterState>::all(),
        Order::Ascending,
        |key, _| {
            if let Some([a, b, c, d, environment]) = tail(key) {
                let environment = if environment == 0 { Live } else { Sandbox };
                ledgers.push((ClientNumber(u32::from_be_bytes([a, b, c, d])), environment));
            }
            ControlFlow::Continue(())
        },
    )?;
    Ok(ledgers)
}
