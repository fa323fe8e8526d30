//! Rows of an export, verified in order.

use super::invoices::Invoices;
use super::saved_heads::SavedHead;
use super::totals::Totals;
use super::{AuditError, ExportHeader, ListedBook, ListedContext, ListedInvoice, RowLine};
use crate::metering::{ChainHead, LookupRow, RowKind};
use crate::vocabulary::{ContextId, Environment, Timestamp};
use std::collections::HashMap;

/// State of the verification after the rows so far.
#[derive(Debug)]
pub(super) struct LedgerReplay {
    pub(super) header: ExportHeader,
    contexts: HashMap<u32, ContextId>,
    /// The saved heads, in descending order of their rows.
    kept: Vec<SavedHead>,
    pub(super) last: u64,
    at: Timestamp,
    head: ChainHead,
    /// The row after a gap. The following lines decide whether the missing rows were removed or are out of order.
    gap_at: Option<u64>,
    pub(super) totals: Totals,
    pub(super) invoices: Invoices,
    pub(super) free: u64,
    pub(super) lookups: u64,
    pub(super) openings: u64,
}

impl LedgerReplay {
    /// Starts the verification of the ledger with this header.
    pub(super) fn begin(
        header: ExportHeader,
        mut kept: Vec<SavedHead>,
    ) -> Result<Self, AuditError> {
        kept.reverse();
        let mut ledger = Self {
            head: ChainHead::genesis(header.ledger()),
            header,
            contexts: HashMap::new(),
            kept,
            last: 0,
            at: Timestamp::from_millis(i64::MIN),
            gap_at: None,
            totals: Totals::default(),
            invoices: Invoices::default(),
            free: 0,
            lookups: 0,
            openings: 0,
        };
        ledger.compare_kept()?;
        Ok(ledger)
    }

    pub(super) fn context(
        &mut self,
        ListedContext { number, id }: ListedContext,
    ) -> Result<(), AuditError> {
        self.contexts
            .insert(number, id)
            .map_or(Ok(()), |_| Err(AuditError::ContextTwice { number }))
    }

    pub(super) fn row(&mut self, line: &RowLine) -> Result<(), AuditError> {
        let row = line.row.seq;
        let expected_row = self.last + 1;
        if !self.invoices.is_empty() {
            return Err(AuditError::RowBehindInvoices { row });
        }
        match self.gap_at {
            Some(after) if row == expected_row => {
                return Err(AuditError::OutOfOrder { row, after });
            }
            Some(_) => return Ok(()),
            None if row < expected_row => {
                return Err(AuditError::OutOfOrder {
                    row,
                    after: self.last,
                });
            }
            None if row > self.header.seq => {
                return Err(AuditError::TooMany {
                    row,
                    seq: self.header.seq,
                });
            }
            None if row > expected_row => {
                self.gap_at = Some(row);
                return Ok(());
            }
            None => {}
        }
        self.chain(line)?;
        match &line.row.kind {
            RowKind::Lookup(lookup) => self.lookup(line, lookup)?,
            RowKind::PeriodEnd(_) if line.opening.is_some() => {
                return Err(AuditError::OpeningWithoutCommitment { row });
            }
            RowKind::PeriodEnd(end) => self.totals.close(row, line.head, end)?,
        }
        self.compare_kept()
    }

    pub(super) fn book(&mut self, book: ListedBook) -> Result<(), AuditError> {
        self.ensure_billable()?;
        self.invoices.book(book)
    }

    pub(super) fn invoice(&mut self, invoice: &ListedInvoice) -> Result<(), AuditError> {
        self.ensure_billable()?;
        self.invoices
            .invoice(invoice, self.header.client, &mut self.totals.periods)
    }

    /// Passes before a price book or invoice if all rows were read and the ledger is live.
    fn ensure_billable(&self) -> Result<(), AuditError> {
        match self.header.environment {
            Environment::Live => self.ensure_chained(),
            Environment::Sandbox => Err(AuditError::SandboxBilled),
        }
    }

    fn chain(&mut self, line: &RowLine) -> Result<(), AuditError> {
        let row = line.row.seq;
        let at = line.row.at;
        let head = self.head.extend(&line.row.to_bytes());
        if head != line.head {
            return Err(AuditError::Changed { row });
        }
        if at < self.at {
            return Err(AuditError::TimestampWentBack {
                row,
                at,
                before: self.at,
            });
        }
        (self.last, self.at, self.head) = (row, at, head);
        Ok(())
    }

    fn lookup(&mut self, line: &RowLine, lookup: &LookupRow) -> Result<(), AuditError> {
        let row = line.row.seq;
        self.totals.lookup(row, line.row.at, lookup);
        self.lookups += 1;
        self.free += u64::from(lookup.free);
        let number = lookup.context;
        let context = self
            .contexts
            .get(&number)
            .ok_or(AuditError::UnknownContext { row, number })?;
        let Some(opening) = line.opening else {
            return Ok(());
        };
        self.openings += 1;
        if opening.commit(context) == lookup.commitment {
            Ok(())
        } else {
            Err(AuditError::Opening { row })
        }
    }

    /// Compares the saved heads of the last row.
    fn compare_kept(&mut self) -> Result<(), AuditError> {
        while let Some(saved_head) = self.kept.pop_if(|saved_head| saved_head.row == self.last) {
            if saved_head.head != self.head {
                return Err(AuditError::Rewritten {
                    line: saved_head.line,
                    row: saved_head.row,
                    kept: saved_head.head,
                    found: self.head,
                });
            }
        }
        Ok(())
    }

    /// Passes if the complete export is consistent.
    pub(super) fn end(&self) -> Result<(), AuditError> {
        self.ensure_chained()?;
        if self.header.environment == Environment::Live {
            self.invoices.end(&self.totals.periods)?;
        }
        match self.kept.last() {
            Some(kept) => Err(AuditError::SavedHeadBeyondEnd {
                line: kept.line,
                row: kept.row,
                last: self.last,
            }),
            None => Ok(()),
        }
    }

    /// Passes if all rows were read and the chain ends in the head of the header.
    fn ensure_chained(&self) -> Result<(), AuditError> {
        if let Some(behind) = self.gap_at {
            return Err(AuditError::Missing {
                from: self.last + 1,
                to: behind - 1,
            });
        }
        if self.last < self.header.seq {
            return Err(AuditError::MissingAtEnd {
                from: self.last + 1,
                to: self.header.seq,
            });
        }
        if self.head != self.header.head {
            return Err(AuditError::HeadMismatch {
                found: self.head,
                stated: self.header.head,
            });
        }
        Ok(())
    }
}
