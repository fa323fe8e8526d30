//! What shows that a ledger and its invoices are whole: an export of them, checked line by line by somebody who has no store and no secret.
//!
//! `docs/reference/ledger-export-format.md` describes the lines. Reading them from text is an adapter's; what they have to say is decided here.

mod balance;
mod billed;
mod checker;
mod flaw;
mod invoices;
mod kept;
mod ledger;
mod line;
mod seal;
mod totals;

#[cfg(test)]
mod tests;

pub use billed::{ListedBook, ListedInvoice};
pub use checker::{ExportVerifier, KeySource, VerifiedExport};
pub use flaw::AuditError;
pub use kept::{SavedHeadError, SavedHeads};
pub use line::{ExportHeader, ExportLine, FORMAT, ListedContext, RowLine, Trailer};
pub use seal::{ExportSeal, SEAL_TYPE};
