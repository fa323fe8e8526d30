//! Verification of an export, from its first line to its last.

use super::ledger::LedgerReplay;
use super::{AuditError, ExportHeader, ExportLine, ExportSeal, SavedHeads, Trailer};
use crate::metering::{EndedPeriod, SignedHead};
use crate::secrets::PublicKeys;

/// Source of the service's public keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeySource {
    /// The client supplied the keys with the export.
    Customer,
    /// The export itself holds the keys; a forger of the whole export can replace them, too.
    Export,
}

/// Result of verifying a complete export.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VerifiedExport {
    /// The header: client, ledger and head.
    pub header: ExportHeader,
    /// The number of lookups, those of open periods included.
    pub lookups: u64,
    /// The number of lookups within the allowance.
    pub free: u64,
    /// The closed periods, oldest first, each with its invoice.
    pub periods: Vec<EndedPeriod>,
    /// The number of invoices, void ones included.
    pub invoices: u32,
    /// The number of void invoices.
    pub void: u32,
    /// The lookups since the last closed period, and the number of paid ones among them.
    pub uninvoiced: (u64, u64),
    /// The number of opened commitments.
    pub openings: u64,
    /// The number of saved heads, all of which match.
    pub saved_heads: usize,
    /// The source of the keys.
    pub keys: KeySource,
}

/// Verifies the lines of an export in order, one line in memory at a time.
///
/// Verified are:
///
/// - the rows are gapless, dated in order, and chained from the beginning of this ledger to the signed head;
/// - period markers match the totals of the rows before them;
/// - openings open their commitments;
/// - invoices are gapless, each covers one period, and their amounts follow to the cent from the rows and the price
///   book;
/// - every saved head is in the chain;
/// - every byte is as it was signed.
#[derive(Debug)]
pub struct ExportVerifier {
    given: Option<PublicKeys>,
    kept: SavedHeads,
    seal: ExportSeal,
    lines: u64,
    ledger: Option<LedgerReplay>,
    has_trailer: bool,
}

impl ExportVerifier {
    /// Creates a verifier with these keys, or those in the export, and with the saved heads.
    pub fn new(keys: Option<PublicKeys>, kept: SavedHeads) -> Self {
        Self {
            given: keys,
            kept,
            seal: ExportSeal::default(),
            lines: 0,
            ledger: None,
            has_trailer: false,
        }
    }

    /// Verifies the next line: the parsed line, and its text.
    pub fn line(&mut self, line: ExportLine, text: &str) -> Result<(), AuditError> {
        self.lines += 1;
        let number = self.lines;
        if self.has_trailer {
            return Err(AuditError::LineAfterTrailer { line: number });
        }
        match (&mut self.ledger, line) {
            (None, ExportLine::Header(header)) => self.begin(header)?,
            (None, _) => return Err(AuditError::NoHeader),
            (Some(_), ExportLine::Header(_)) => {
                return Err(AuditError::SecondHeader { line: number });
            }
            (Some(ledger), ExportLine::Context(context)) => ledger.context(context)?,
            (Some(ledger), ExportLine::Row(row)) => ledger.row(&row)?,
            (Some(ledger), ExportLine::PriceBook(book)) => ledger.book(book)?,
            (Some(ledger), ExportLine::Invoice(invoice)) => ledger.invoice(&invoice)?,
            (Some(_), ExportLine::Trailer(trailer)) => return self.close(&trailer),
        }
        self.seal.add(text);
        Ok(())
    }

    /// Returns the result, if the trailer was verified.
    pub fn finish(self) -> Result<VerifiedExport, AuditError> {
        let Some(ledger) = self.ledger else {
            return Err(AuditError::NoHeader);
        };
        if !self.has_trailer {
            return Err(AuditError::NoTrailer {
                lines: self.lines,
                last: ledger.last,
                seq: ledger.header.seq,
            });
        }
        let keys = if self.given.is_some() {
            KeySource::Customer
        } else {
            KeySource::Export
        };
        Ok(VerifiedExport {
            lookups: ledger.lookups,
            free: ledger.free,
            uninvoiced: (ledger.totals.billable, ledger.totals.paid),
            periods: ledger.totals.periods,
            invoices: ledger.invoices.count(),
            void: ledger.invoices.void,
            openings: ledger.openings,
            saved_heads: self.kept.count(),
            keys,
            header: ledger.header,
        })
    }

    fn begin(&mut self, header: ExportHeader) -> Result<(), AuditError> {
        let keys = self.given.as_ref().unwrap_or(&header.keys);
        let signed_head =
            SignedHead::from_token(&header.signed_head, keys).ok_or(AuditError::Signature)?;
        let ExportHeader {
            client,
            environment,
            seq,
            head,
            exported_at,
            ..
        } = header;
        if signed_head
            != (SignedHead {
                client,
                environment,
                seq,
                head,
                at: exported_at,
            })
        {
            return Err(AuditError::SignedHeadMismatch);
        }
        let saved_heads = self.kept.verified_for(&header, keys)?;
        self.ledger = Some(LedgerReplay::begin(header, saved_heads)?);
        Ok(())
    }

    fn close(&mut self, trailer: &Trailer) -> Result<(), AuditError> {
        let Some(ledger) = &self.ledger else {
            return Err(AuditError::NoHeader);
        };
        ledger.end()?;
        self.seal
            .verify(trailer, self.given.as_ref().unwrap_or(&ledger.header.keys))?;
        self.has_trailer = true;
        Ok(())
    }
}
