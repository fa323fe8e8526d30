//! Deletes old rows of sandbox ledgers.

use super::openings::ledgers;
use crate::read_records::ReadRecords;
use crate::table::{self, ClientNumber};
use crate::write_transaction::WriteTransaction;
use std::ops::ControlFlow;
use voight_domain::ports::StoreError;
use voight_domain::vocabulary::Environment::Sandbox;
use voight_domain::vocabulary::Timestamp;
use voight_engine::Order;

/// Number of a sandbox row within the ledger of a client.
type SandboxRow = (ClientNumber, u64);

/// Returns at most `limit` rows of sandbox ledgers older than `before`, without the last row of each ledger. The times of rows
/// ascend, so each ledger is read up to the first row that is not due.
pub(super) fn written_before(
    view: &impl ReadRecords,
    before: Timestamp,
    limit: usize,
) -> Result<Vec<SandboxRow>, StoreError> {
    let mut expired_rows = Vec::new();
    for (client_number, _) in ledgers(view)?
        .into_iter()
        .filter(|(_, environment)| environment.is_test())
    {
        let mut previous = None;
        view.scan(
            &table::rows(client_number, Sandbox),
            Order::Ascending,
            |_, row| {
                expired_rows.extend(previous.take().map(|seq| (client_number, seq)));
                previous = Some(row.seq).filter(|_| row.at < before);
                if previous.is_none() || expired_rows.len() == limit {
                    ControlFlow::Break(())
                } else {
                    ControlFlow::Continue(())
                }
            },
        )?;
        if expired_rows.len() == limit {
            break;
        }
    }
    Ok(expired_rows)
}

/// Deletes the rows with their openings and the periods that they end, and returns their number.
pub(super) fn delete(
    transaction: &mut WriteTransaction<'_>,
    expired_rows: Vec<SandboxRow>,
) -> usize {
    let count = expired_rows.len();
    for (client_number, seq) in expired_rows {
        transaction.remove(table::row(client_number, Sandbox, seq));
        transaction.remove(table::opening(client_number, Sandbox, seq));
        transaction.remove(table::ended_period(client_number, Sandbox, seq));
    }
    count
}
