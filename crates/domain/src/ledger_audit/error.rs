//! Errors of a ledger audit, each described in one sentence.

use super::FORMAT;
use crate::billing::{Currency, Money, PriceBookDigest};
use crate::invoicing::InvoiceId;
use crate::metering::ChainHead;
use crate::vocabulary::{ClientId, Environment, Timestamp};

/// Reason for which an export is invalid, or evidence that a ledger was changed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the message describes each variant")]
pub enum AuditError {
    #[error("line {line} is not a line of an export: {why}")]
    Unreadable { line: u64, why: String },
    #[error(
        "the export has format {found}, and this release verifies format {FORMAT}: use the release that wrote it"
    )]
    OtherFormat { found: u64 },
    #[error("line 1 is not a header: the file is not an export, or its beginning is missing")]
    NoHeader,
    #[error("line {line} is a second header: two exports are in one file; verify them separately")]
    SecondHeader { line: u64 },
    #[error("line {line} follows the trailer, which is the last line of an export")]
    LineAfterTrailer { line: u64 },
    #[error(
        "the export ends after line {lines} without a trailer, at row {last} of {seq}: it was cut short"
    )]
    NoTrailer { lines: u64, last: u64, seq: u64 },
    #[error(
        "the trailer states that {stated} lines precede it, and {read} do: lines were removed or added"
    )]
    LineCountMismatch { stated: u64, read: u64 },
    #[error(
        "the seal in the trailer is signed with none of the service's keys: the export was forged or changed"
    )]
    Seal,
    #[error(
        "the lines differ from those that were sealed: data outside the chain was changed (a name, a time, a context or an opening)"
    )]
    Sealed,

    #[error(
        "the signed head in the header is signed with none of the service's keys: the export was forged or changed"
    )]
    Signature,
    #[error(
        "the signed head in the header differs from the header: the export was forged or changed"
    )]
    SignedHeadMismatch,
    #[error("context {number} is listed twice")]
    ContextTwice { number: u32 },

    #[error("{} missing before row {}: removed", rows(*from, *to), to + 1)]
    Missing { from: u64, to: u64 },
    #[error("row {row} comes after row {after}: the rows were swapped or repeated")]
    OutOfOrder { row: u64, after: u64 },
    #[error("row {row} does not match the chain: its content, or the head after it, was changed")]
    Changed { row: u64 },
    #[error(
        "row {row} is dated {at}, earlier than the row before it ({before}): its time was changed"
    )]
    TimestampWentBack {
        row: u64,
        at: Timestamp,
        before: Timestamp,
    },
    #[error(
        "row {row} is dated {at}, and its period ended at {end}: it was billed to another period"
    )]
    OutsidePeriod {
        row: u64,
        at: Timestamp,
        end: Timestamp,
    },
    #[error("row {row} closes a period with {stated} {what} lookups, and the period has {counted}")]
    Totals {
        row: u64,
        what: &'static str,
        stated: u64,
        counted: u64,
    },
    #[error(
        "the opening of row {row} does not match its commitment: the address or the nonce was changed"
    )]
    Opening { row: u64 },
    #[error("row {row} has an opening and is not a lookup")]
    OpeningWithoutCommitment { row: u64 },
    #[error("row {row} names context {number}, which no line before it lists")]
    UnknownContext { row: u64, number: u32 },
    #[error("{} missing at the end: the ledger has {to}", rows(*from, *to))]
    MissingAtEnd { from: u64, to: u64 },
    #[error("the ledger has {seq} rows by its header, and row {row} follows them")]
    TooMany { row: u64, seq: u64 },
    #[error(
        "the chain ends in the head {found}, and the header states {stated}: rows or header were changed"
    )]
    HeadMismatch { found: ChainHead, stated: ChainHead },

    #[error(
        "row {row} follows price books or invoices, which come after the last row: the lines were swapped"
    )]
    RowBehindInvoices { row: u64 },
    #[error(
        "the export of a sandbox has price books or invoices, and a sandbox is never billed: they were added"
    )]
    SandboxBilled,
    #[error("the price book {digest} does not match its digest: it was changed")]
    Book { digest: PriceBookDigest },
    #[error(
        "the period that ends in row {row} is billed by the price book {digest}, which is missing: it was removed"
    )]
    BookOfPeriod { row: u64, digest: PriceBookDigest },
    #[error(
        "invoice {number} is priced by the book {digest}, which no line before it contains: one of them was changed"
    )]
    BookOfInvoice {
        number: u32,
        digest: PriceBookDigest,
    },
    #[error("invoice {id} is of another client than the ledger")]
    InvoiceOfOther { id: InvoiceId },
    #[error(
        "invoice {number} is in the place of invoice {expected}: invoices were removed, swapped or repeated"
    )]
    InvoiceOrder { number: u32, expected: u32 },
    #[error("invoice {number} is for a period that ends in row {row}, and no period ends there")]
    InvoiceWithoutPeriod { number: u32, row: u64 },
    #[error(
        "invoices {other} and {number} are for the same period, which ends in row {row}, and neither is void"
    )]
    InvoicedTwice { row: u64, number: u32, other: u32 },
    #[error("invoice {number} states {what} as {stated}, and its lines and rows result in {found}")]
    InvoiceMismatch {
        number: u32,
        what: &'static str,
        stated: String,
        found: String,
    },
    #[error(
        "line {line} of invoice {number} does not match its price book for {paid} paid lookups"
    )]
    InvoiceLine { number: u32, line: usize, paid: u64 },
    #[error(
        "invoice {number} is in {currency}, and a credit, a correction or the amount carried forward is not"
    )]
    InvoiceCurrency { number: u32, currency: Currency },
    #[error("the total of invoice {number} is out of range")]
    InvoiceTooLarge { number: u32 },
    #[error(
        "credit or correction {adjustment} is on the invoices {other} and {number}, and invoice {other} is not void"
    )]
    AdjustmentTwice {
        adjustment: u32,
        number: u32,
        other: u32,
    },
    #[error(
        "credit or correction {adjustment} on invoice {number} differs from that on an earlier void invoice"
    )]
    AdjustmentChanged { adjustment: u32, number: u32 },
    #[error("invoice {number} begins with {stated}, and the invoices before it leave {left}")]
    BalanceMismatch {
        number: u32,
        stated: Money,
        left: Money,
    },

    #[error(
        "line {line} of the heads is signed with none of the service's keys: it was changed, or is of another service"
    )]
    SavedHeadSignature { line: usize },
    #[error("line {line} of the heads is of the {} ledger of client {client}, and the export is of another", environment.label())]
    SavedHeadOfOtherLedger {
        line: usize,
        client: ClientId,
        environment: Environment,
    },
    #[error(
        "line {line} of the heads has the head {kept} for row {row}, and the export has {found}: rows up to {row} were changed since, or the heads are of another ledger"
    )]
    Rewritten {
        line: usize,
        row: u64,
        kept: ChainHead,
        found: ChainHead,
    },
    #[error(
        "line {line} of the heads is of row {row}, and the export ends at row {last}: rows were removed since, or the export is older than that head; then request a new one"
    )]
    SavedHeadBeyondEnd { line: usize, row: u64, last: u64 },
}

fn rows(from: u64, to: u64) -> String {
    if from == to {
        format!("row {from} is")
    } else {
        format!("rows {from} to {to} are")
    }
}
