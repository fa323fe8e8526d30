//! Ledger audit: verifies an exported ledger and its invoices without the store or its secrets.
//!
//! `docs/reference/ledger-export-format.md` describes the lines. An adapter parses them from text; this module verifies their content.

mod balance;
mod error;
mod invoices;
mod ledger;
mod line;
mod listed_invoice;
mod saved_heads;
mod seal;
mod totals;
mod verifier;

#[cfg(test)]
mod tests;

pub use error::AuditError;
pub use line::{ExportHeader, ExportLine, FORMAT, ListedContext, RowLine, Trailer};
pub use listed_invoice::{ListedBook, ListedInvoice};
pub use saved_heads::{SavedHeadError, SavedHeads};
pub use seal::{ExportSeal, SEAL_TYPE};
pub use verifier::{ExportVerifier, KeySource, VerifiedExport};
