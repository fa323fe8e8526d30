//! Report on a new store that was built from another one or from a backup.

use crate::cli::invocation::Invocation;
use crate::exit::CommandError;
use crate::output::Table;
use crate::wiring::{ContentHash, StoreUrl};
use serde::Serialize;

/// Content summaries of the source and of the new store, which are equal.
#[derive(Debug, Serialize)]
struct BuildReport {
    store: String,
    from: ContentHash,
    to: ContentHash,
    /// Of a copy: the moment that it is of.
    #[serde(skip_serializing_if = "Option::is_none")]
    moment: Option<&'static str>,
}

/// Prints the content summary of the new store.
pub(super) fn print_summary(
    invocation: &Invocation,
    store: &StoreUrl,
    (from, to): (ContentHash, ContentHash),
    moment: Option<&'static str>,
) -> Result<(), CommandError> {
    let done = BuildReport { store: store.to_string(), from, to, moment };
    invocation.output.data(&done, |done| {
        let mut table = Table::new(["", "ROWS", "HASH"]);
        table.row(["from", &done.from.rows.to_string(), &done.from.hash]);
        table.row(["to", &done.to.rows.to_string(), &done.to.hash]);
        table
    })
}
