//! Deletes old rows of sandbox ledgers.

use super::openings::ledgers;
use crate::Order;
use crate::read_records::ReadRecords;
use crate::table::{self, ClientNumber};
use crate::write_transaction::WriteTransaction;
use std::ops::ControlFlow;
use voight_domain::ports::StoreError;
use voight_domain::vocabulary::Environment::Sandbox;
use voight_domain::vocabulary::Timestamp;

/// Number of a sandbox row within the ledger of a client.
type SandboxRow = (ClientNumber, u64);

/// Returns at most `limit` rows of sandbox ledgers older than `before`, without the last row of each ledger. The times of rows
/// ascend, so each ledger is read up to the first row that is not due.
pub(super) fn written_before(
    view: &impl ReadRecords,
    before: Timestamp,
    limit: usize,
) -> Result<Vec<SandboxRow>, StoreError> {
    let mut due = Vec::new();
    for (client_number, _) in ledgers(view)?
        .into_iter()
        .filter(|(_, environment)| environment.is_test())
    {
        let mut previous = None;
        view.scan(
            &table::rows(client_number, Sandbox),
            Order::Ascending,
            |_, row| {
                due.extend(previous.take().map(|seq| (client_number, seq)));
                previous = Some(row.seq).filter(|_| row.at < before);
                if previous.is_none() || due.len() == limit {
                    ControlFlow::Break(())
                } else {
                    ControlFlow::Continue(())
                }
            },
        )?;
        if due.len() == limit {
            break;
        }
    }
    Ok(due)
}

/// Deletes the rows with their openings and the periods that they end, and returns their number.
pub(super) fn delete(transaction: &mut WriteTransaction<'_>, due: Vec<SandboxRow>) -> usize {
    let removed = due.len();
    for (client_number, seq) in due {
        transaction.remove(table::row(client_number, Sandbox, seq));
        transaction.remove(table::opening(client_number, Sandbox, seq));
        transaction.remove(table::ended_period(client_number, Sandbox, seq));
    }
    removed
}
