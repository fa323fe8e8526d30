//! Errors of a ledger audit, each described in one sentence.

use super::FORMAT;
use crate::billing::{Currency, Money, PriceBookDigest};
use crate::invoicing::InvoiceId;
use crate::metering::ChainHead;
use crate::vocabulary::{ClientId, Environment, Timestamp};

/// Reason for which an export is invalid, or evidence that a ledger was changed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "each variant is its own sentence")]
pub enum AuditError {
    #[error("line {line} is no line of an export: {why}")]
    Unreadable { line: u64, why: String },
    #[error(
        "the export has format {found}, and this release checks format {FORMAT}: check it with the release that wrote it"
    )]
    OtherFormat { found: u64 },
    #[error("line 1 is no header: the file is no export, or its beginning is missing")]
    NoHeader,
    #[error("line {line} is a second header: two exports are in one file; check each alone")]
    SecondHeader { line: u64 },
    #[error("line {line} follows the trailer, which is the last line of an export")]
    LineAfterTrailer { line: u64 },
    #[error("the export ends after line {lines} without a trailer, at row {last} of {seq}: it was cut short")]
    NoTrailer { lines: u64, last: u64, seq: u64 },
    #[error("the trailer says that {said} lines are in front of it, and there are {read}: lines were removed or added")]
    LineCountMismatch { said: u64, read: u64 },
    #[error("the seal in the trailer is signed with none of the service's keys: the export was forged or changed")]
    Seal,
    #[error(
        "its lines are not byte for byte those that were sealed: something that is not chained was changed (a name, a time, a context or an opening)"
    )]
    Sealed,

    #[error(
        "the signed head in the header is signed with none of the service's keys: the export was forged or changed"
    )]
    Signature,
    #[error("the signed head in the header says something else than the header: the export was forged or changed")]
    SignedHeadMismatch,
    #[error("context {number} is listed twice")]
    ContextTwice { number: u32 },

    #[error("{} missing, in front of row {}: removed", rows(*from, *to), to + 1)]
    Missing { from: u64, to: u64 },
    #[error("row {row} comes after row {after}: the rows were swapped, or one is there twice")]
    OutOfOrder { row: u64, after: u64 },
    #[error("row {row} is not what was chained: its content, or the head behind it, was changed")]
    Changed { row: u64 },
    #[error("row {row} is dated {at}, before the row in front of it ({before}): its time was changed")]
    TimestampWentBack { row: u64, at: Timestamp, before: Timestamp },
    #[error(
        "row {row} is dated {at}, and the period that is closed behind it ended at {end}: it was billed to another period"
    )]
    OutsidePeriod { row: u64, at: Timestamp, end: Timestamp },
    #[error("row {row} closes a period with {said} {what} lookups, and {counted} are in front of it")]
    Totals { row: u64, what: &'static str, said: u64, counted: u64 },
    #[error("the opening of row {row} does not open its commitment: the address or the nonce was changed")]
    Opening { row: u64 },
    #[error("row {row} has an opening, and is no lookup")]
    OpeningWithoutCommitment { row: u64 },
    #[error("row {row} is about context {number}, which is not listed in front of it")]
    UnknownContext { row: u64, number: u32 },
    #[error("{} missing at the end: the ledger has {to}", rows(*from, *to))]
    MissingAtEnd { from: u64, to: u64 },
    #[error("the ledger has {seq} rows by its header, and row {row} is behind them")]
    TooMany { row: u64, seq: u64 },
    #[error("the chain ends in the head {found}, and the header says {said}: rows or header were changed")]
    HeadMismatch { found: ChainHead, said: ChainHead },

    #[error("row {row} is behind price books or invoices, which come after the last row: the lines were swapped")]
    RowBehindInvoices { row: u64 },
    #[error("there are price books or invoices of a sandbox, which is never billed: they were added")]
    SandboxBilled,
    #[error("the price book {digest} is not what its digest says: it was changed")]
    Book { digest: PriceBookDigest },
    #[error("the period that ends in row {row} is billed by the price book {digest}, which is missing: it was removed")]
    BookOfPeriod { row: u64, digest: PriceBookDigest },
    #[error("invoice {number} is priced by the book {digest}, which is not in front of it: one of them was changed")]
    BookOfInvoice { number: u32, digest: PriceBookDigest },
    #[error("the invoice {id} is of another client than the ledger")]
    InvoiceOfOther { id: InvoiceId },
    #[error(
        "invoice {number} is where invoice {expected} has to be: invoices were removed or swapped, or one is there twice"
    )]
    InvoiceOrder { number: u32, expected: u32 },
    #[error("invoice {number} is about a period that ends in row {row}, and no period ends there")]
    InvoiceWithoutPeriod { number: u32, row: u64 },
    #[error("invoices {other} and {number} are both of the period that ends in row {row}, and neither is void")]
    InvoicedTwice { row: u64, number: u32, other: u32 },
    #[error("invoice {number} states {what} as {said}, and its lines and rows result in {found}")]
    InvoiceMismatch { number: u32, what: &'static str, said: String, found: String },
    #[error("line {line} of invoice {number} does not match its price book for {paid} paid lookups")]
    InvoiceLine { number: u32, line: usize, paid: u64 },
    #[error("invoice {number} is in {currency}, and a credit, a correction or what is carried forward is not")]
    InvoiceCurrency { number: u32, currency: Currency },
    #[error("the total of invoice {number} is out of range")]
    InvoiceTooLarge { number: u32 },
    #[error(
        "credit or correction {adjustment} is on the invoices {other} and {number}, and invoice {other} is not void"
    )]
    AdjustmentTwice { adjustment: u32, number: u32, other: u32 },
    #[error("credit or correction {adjustment} is on invoice {number} otherwise than on a void invoice before it")]
    AdjustmentChanged { adjustment: u32, number: u32 },
    #[error("invoice {number} begins with {said}, and the invoices before it leave {left}")]
    BalanceMismatch { number: u32, said: Money, left: Money },

    #[error(
        "line {line} of the heads is signed with none of the service's keys: it was changed, or is of another service"
    )]
    SavedHeadSignature { line: usize },
    #[error("line {line} of the heads is of the {} ledger of client {client}, and the export is of another", environment.label())]
    SavedHeadOfOtherLedger { line: usize, client: ClientId, environment: Environment },
    #[error(
        "by line {line} of the heads the ledger had the head {kept} at row {row}, and in the export it has {found}: rows up to {row} were changed since, or the heads are of another ledger"
    )]
    Rewritten { line: usize, row: u64, kept: ChainHead, found: ChainHead },
    #[error(
        "by line {line} of the heads the ledger had {row} rows, and the export ends at row {last}: rows were removed since, or the export is older than that head; then ask for a new one"
    )]
    SavedHeadBeyondEnd { line: usize, row: u64, last: u64 },
}

fn rows(from: u64, to: u64) -> String {
    if from == to { format!("row {from} is") } else { format!("rows {from} to {to} are") }
}
