//! Totals of the rows of a ledger, compared with the period markers.

use super::AuditError;
use crate::metering::{ChainHead, EndedPeriod, LookupRow, PeriodEnd};
use crate::vocabulary::Timestamp;

/// Lookups since the last marker, and the closed periods.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Totals {
    pub(super) billable: u64,
    pub(super) paid: u64,
    last: Option<(u64, Timestamp)>,
    pub(super) periods: Vec<EndedPeriod>,
}

impl Totals {
    /// Counts a lookup.
    pub(super) fn lookup(&mut self, row: u64, at: Timestamp, lookup: &LookupRow) {
        self.billable += 1;
        self.paid += u64::from(!lookup.free);
        self.last = Some((row, at));
    }

    /// Closes a period if the marker matches the counted lookups.
    ///
    /// `head` is the chain head after the marker.
    pub(super) fn close(
        &mut self,
        row: u64,
        head: ChainHead,
        end: &PeriodEnd,
    ) -> Result<(), AuditError> {
        for (what, stated, counted) in [
            ("billable", end.billable, self.billable),
            ("paid", end.paid, self.paid),
        ] {
            if stated != counted {
                return Err(AuditError::Totals {
                    row,
                    what,
                    stated,
                    counted,
                });
            }
        }
        // Dates never go back, so the last lookup is sufficient for the whole period. A period that was ended early,
        // because the client was closed, may end at the time of that lookup.
        if let Some((row, at)) = self.last.take().filter(|(_, at)| *at > end.period.end) {
            return Err(AuditError::OutsidePeriod {
                row,
                at,
                end: end.period.end,
            });
        }
        (self.billable, self.paid) = (0, 0);
        let first = self
            .periods
            .last()
            .map_or(1, |previous_period| previous_period.last_seq + 1);
        let PeriodEnd {
            period,
            billable,
            paid,
            book,
        } = *end;
        let ended_period = EndedPeriod {
            period,
            first_seq: first,
            last_seq: row,
            head,
            billable,
            charged: paid,
            book,
            invoice: None,
            last_voided_invoice: None,
        };
        self.periods.push(ended_period);
        Ok(())
    }
}
