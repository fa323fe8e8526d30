//! Credits and corrections: requests to the admin API, and their table.

use super::invocation::Invocation;
use super::paging::Paging;
use crate::exit::CommandError;
use crate::output::{Table, day, word};
use crate::session::AdminSession;
use voight_api::admin::{Adjustment, NewAdjustment, routes};

/// Creates a credit or correction for the client's next invoice, and prints it.
pub(super) fn make(
    invocation: &Invocation,
    session: &AdminSession,
    client: &str,
    new: &NewAdjustment,
) -> Result<(), CommandError> {
    let new_adjustment = session.client().send(&routes::ADJUST.call([client]), new)?;
    invocation.output.data(&new_adjustment, |adjustment| {
        table(std::slice::from_ref(adjustment))
    })?;
    invocation
        .output
        .note("It will be a line of the client's next invoice; `voight invoice preview` shows it.");
    Ok(())
}

/// Prints the credits and corrections of a client that are not invoiced yet.
pub(super) fn list(
    invocation: &Invocation,
    session: &AdminSession,
    client: &str,
    paging: &Paging,
) -> Result<(), CommandError> {
    paging
        .read(session.client(), &routes::LIST_ADJUSTMENTS.call([client]))?
        .print(invocation, table)
}

fn table(adjustments: &[Adjustment]) -> Table {
    let mut table = Table::new(["NUMBER", "MADE", "KIND", "AMOUNT", "REASON"])
        .with_numbers([0, 3])
        .with_narrowed([4]);
    for adjustment in adjustments {
        table.row([
            &adjustment.number.to_string(),
            &day(&adjustment.at),
            &word(&adjustment.kind),
            &adjustment.amount.to_string(),
            &adjustment.reason,
        ]);
    }
    table
}
