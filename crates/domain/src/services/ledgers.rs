//! Read access for clients to their own ledger.

use super::Ports;
use crate::metering::{
    ChainHead, DateRangeError, LedgerId, LedgerRow, MeterState, Period, PeriodStartDay, SignedHead,
};
use crate::ports::{Clock, Store, StoreError};
use crate::secrets::Secrets;
use crate::vocabulary::Timestamp;
use std::sync::Arc;

/// Reads ledgers. These reads are not metered.
#[derive(Clone)]
pub struct LedgerService {
    pub(super) store: Arc<dyn Store>,
    pub(super) clock: Arc<dyn Clock>,
    pub(super) secrets: Secrets,
    period_start_day: PeriodStartDay,
}

/// Rows of a ledger within a date range, as of the time of the query.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LedgerRange {
    /// The ledger.
    pub ledger: LedgerId,
    /// The date range.
    pub span: Period,
    /// The sequence number of the row before the first.
    pub after: u64,
    /// The sequence number of the last row; `after` if the range is empty.
    pub last: u64,
    /// The sequence number of the last row of the whole ledger.
    pub seq: u64,
    /// The chain head after row `seq`.
    pub head: ChainHead,
}

impl LedgerService {
    /// Creates the service with these ports, for periods that begin on this day.
    pub fn new(ports: &Ports, period_start_day: PeriodStartDay) -> Self {
        let Ports {
            store,
            clock,
            secrets,
            ..
        } = ports.clone();
        Self {
            store,
            clock,
            secrets,
            period_start_day,
        }
    }

    /// Parses the date range of a query ([`Period::parse_range`]); the default is the current period.
    pub fn date_range(
        &self,
        from: Option<&str>,
        to: Option<&str>,
    ) -> Result<Period, DateRangeError> {
        Period::parse_range(
            from,
            to,
            Period::month_containing(self.clock.now(), self.period_start_day),
        )
    }

    /// Returns the current head of a ledger, and its signed token.
    pub async fn signed_head(&self, ledger: LedgerId) -> Result<(SignedHead, String), StoreError> {
        let LedgerId {
            client,
            environment,
        } = ledger;
        let MeterState { seq, head, .. } = self.meter(ledger).await?;
        let head = SignedHead {
            client,
            environment,
            seq,
            head,
            at: self.clock.now(),
        };
        Ok((head, head.to_token(&self.secrets.signer())))
    }

    /// Returns the range of the rows that are dated within `span`.
    pub async fn range(&self, ledger: LedgerId, span: Period) -> Result<LedgerRange, StoreError> {
        let MeterState { seq, head, .. } = self.meter(ledger).await?;
        let after_row = self.last_before(ledger, span.start, 0, seq).await?;
        let last = self.last_before(ledger, span.end, after_row, seq).await?;
        Ok(LedgerRange {
            ledger,
            span,
            after: after_row,
            last,
            seq,
            head,
        })
    }

    /// Returns at most `limit` rows of a range after the sequence number `after`, in order.
    pub async fn rows(
        &self,
        stretch: &LedgerRange,
        after: u64,
        limit: usize,
    ) -> Result<Vec<LedgerRow>, StoreError> {
        let entries = self
            .store
            .rows(stretch.ledger, after.max(stretch.after), limit)
            .await?;
        Ok(entries
            .into_iter()
            .map(|entry| entry.row)
            .take_while(|row| row.seq <= stretch.last)
            .collect())
    }

    pub(super) async fn meter(&self, ledger: LedgerId) -> Result<MeterState, StoreError> {
        let meter = self.store.meter(ledger).await?;
        Ok(meter.unwrap_or_else(|| MeterState::new(ledger)))
    }

    /// Returns the sequence number of the last row dated before `at`, from `first` to `last`.
    ///
    /// Returns `first` if no row is dated before `at`. The dates ascend, so a binary search finds the row.
    async fn last_before(
        &self,
        ledger: LedgerId,
        at: Timestamp,
        mut first: u64,
        mut last: u64,
    ) -> Result<u64, StoreError> {
        while first < last {
            let middle = last - (last - first) / 2;
            if self.row(ledger, middle).await?.at < at {
                first = middle;
            } else {
                last = middle - 1;
            }
        }
        Ok(first)
    }

    async fn row(&self, ledger: LedgerId, seq: u64) -> Result<LedgerRow, StoreError> {
        let rows = self.store.rows(ledger, seq - 1, 1).await?;
        let missing = || {
            StoreError::Corrupt(format!(
                "row {seq} of the ledger of client {} is missing",
                ledger.client
            ))
        };
        rows.first().map(|entry| entry.row).ok_or_else(missing)
    }
}
