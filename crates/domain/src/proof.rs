//! Ledger audit: verifies an exported ledger and its invoices without the store or its secrets.
//!
//! `docs/reference/ledger-export-format.md` describes the lines. An adapter parses them from text; this module verifies their content.

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
