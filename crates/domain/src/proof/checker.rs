//! An export, from its first line to its last.

use super::ledger::LedgerReplay;
use super::{AuditError, ExportHeader, ExportLine, ExportSeal, SavedHeads, Trailer};
use crate::metering::{EndedPeriod, SignedHead};
use crate::secrets::PublicKeys;

/// Whose word it is that the keys are the service's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeySource {
    /// They were given beside the export.
    Customer,
    /// They are in the export itself; whoever forges all of it forges them too.
    Export,
}

/// What a whole export shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VerifiedExport {
    /// Whose ledger, and where it stood.
    pub header: ExportHeader,
    /// Lookups, those of open periods included.
    pub lookups: u64,
    /// Those that the allowance covered.
    pub free: u64,
    /// The periods that are closed, oldest first, each with its invoice.
    pub periods: Vec<EndedPeriod>,
    /// Invoices, void ones included.
    pub invoices: u32,
    /// Those that are void.
    pub void: u32,
    /// Lookups since the last period was closed, and those of them that are paid.
    pub uninvoiced: (u64, u64),
    /// Commitments that were opened.
    pub openings: u64,
    /// Heads that were kept and are all there.
    pub saved_heads: usize,
    /// Where the keys are from.
    pub keys: KeySource,
}

/// Takes the lines of an export in order, and holds one at a time.
///
/// It shows that the rows are gapless, dated in order and chained from the beginning of this ledger to the head that is
/// signed; that period markers say what the rows in front of them add up to; that openings open their commitments; that
/// invoices are gapless, each of one period, and to the cent what its rows and its price book come to; that every head which was
/// kept is there; and that every byte is as it was signed.
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
    /// A check against these keys, or those in the export itself, and against the heads that were kept.
    pub fn new(keys: Option<PublicKeys>, kept: SavedHeads) -> Self {
        Self { given: keys, kept, seal: ExportSeal::default(), lines: 0, ledger: None, has_trailer: false }
    }

    /// Takes the next line: as it was read, and as text.
    pub fn line(&mut self, line: ExportLine, text: &str) -> Result<(), AuditError> {
        self.lines += 1;
        let number = self.lines;
        if self.has_trailer {
            return Err(AuditError::LineAfterTrailer { line: number });
        }
        match (&mut self.ledger, line) {
            (None, ExportLine::Header(header)) => self.begin(header)?,
            (None, _) => return Err(AuditError::NoHeader),
            (Some(_), ExportLine::Header(_)) => return Err(AuditError::SecondHeader { line: number }),
            (Some(ledger), ExportLine::Context(context)) => ledger.context(context)?,
            (Some(ledger), ExportLine::Row(row)) => ledger.row(&row)?,
            (Some(ledger), ExportLine::PriceBook(book)) => ledger.book(book)?,
            (Some(ledger), ExportLine::Invoice(invoice)) => ledger.invoice(&invoice)?,
            (Some(_), ExportLine::Trailer(trailer)) => return self.close(&trailer),
        }
        self.seal.add(text);
        Ok(())
    }

    /// What the export shows, if its last line was taken.
    pub fn finish(self) -> Result<VerifiedExport, AuditError> {
        let Some(ledger) = self.ledger else { return Err(AuditError::NoHeader) };
        if !self.has_trailer {
            return Err(AuditError::NoTrailer { lines: self.lines, last: ledger.last, seq: ledger.header.seq });
        }
        let keys = if self.given.is_some() { KeySource::Customer } else { KeySource::Export };
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
        let signed = SignedHead::from_token(&header.signed_head, keys).ok_or(AuditError::Signature)?;
        let ExportHeader { client, environment, seq, head, exported_at, .. } = header;
        if signed != (SignedHead { client, environment, seq, head, at: exported_at }) {
            return Err(AuditError::SignedHeadMismatch);
        }
        let kept = self.kept.verified_for(&header, keys)?;
        self.ledger = Some(LedgerReplay::begin(header, kept)?);
        Ok(())
    }

    fn close(&mut self, trailer: &Trailer) -> Result<(), AuditError> {
        let Some(ledger) = &self.ledger else { return Err(AuditError::NoHeader) };
        ledger.end()?;
        self.seal.verify(trailer, self.given.as_ref().unwrap_or(&ledger.header.keys))?;
        self.has_trailer = true;
        Ok(())
    }
}
