//! Clients' ledgers, as those read them who pay.

use crate::metering::{AnchorDay, ChainHead, DateRangeError, LedgerRow, MeterState, Period, SignedHead};
use crate::ports::{BillingStore, Clock, RegistryStore, StoreError};
use crate::secrets::Secrets;
use crate::vocabulary::{ClientId, Environment, Timestamp};
use std::sync::Arc;

/// Reads ledgers. Nothing of this is metered.
#[derive(Clone)]
pub struct LedgerService {
    billing: Arc<dyn BillingStore>,
    pub(super) registry: Arc<dyn RegistryStore>,
    clock: Arc<dyn Clock>,
    secrets: Secrets,
    anchor: AnchorDay,
}

/// Which ledger: a client has two.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LedgerId {
    /// Whose it is.
    pub client: ClientId,
    /// Live or sandbox.
    pub environment: Environment,
}

/// The rows of a ledger that are dated within a span of time, as the ledger stood when it was asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LedgerRange {
    /// The ledger.
    pub ledger: LedgerId,
    /// The span of time.
    pub span: Period,
    /// The number of the row before the first.
    pub after: u64,
    /// The number of the last row; `after` if there is none.
    pub last: u64,
    /// The number of the ledger's own last row.
    pub seq: u64,
    /// The chain's head after that.
    pub head: ChainHead,
}

impl LedgerService {
    /// Reads of ledgers over these ports, with periods that begin on this day.
    pub fn new(
        billing: Arc<dyn BillingStore>,
        registry: Arc<dyn RegistryStore>,
        clock: Arc<dyn Clock>,
        secrets: Secrets,
        anchor: AnchorDay,
    ) -> Self {
        Self { billing, registry, clock, secrets, anchor }
    }

    /// The span that somebody asks about ([`Period::parse_range`]); by default the current period.
    pub fn date_range(&self, from: Option<&str>, to: Option<&str>) -> Result<Period, DateRangeError> {
        Period::parse_range(from, to, Period::month_containing(self.clock.now(), self.anchor))
    }

    /// Where a ledger stands, under our signature.
    pub async fn signed_head(&self, ledger: LedgerId) -> Result<(SignedHead, String), StoreError> {
        let LedgerId { client, environment } = ledger;
        let MeterState { seq, head, .. } = self.meter(ledger).await?;
        let head = SignedHead { client, environment, seq, head, at: self.clock.now() };
        Ok((head, head.to_token(&self.secrets.signer())))
    }

    /// The rows of a ledger that are dated within `span`.
    pub async fn range(&self, ledger: LedgerId, span: Period) -> Result<LedgerRange, StoreError> {
        let MeterState { seq, head, .. } = self.meter(ledger).await?;
        let after = self.last_before(ledger, span.start, 0, seq).await?;
        let last = self.last_before(ledger, span.end, after, seq).await?;
        Ok(LedgerRange { ledger, span, after, last, seq, head })
    }

    /// At most `limit` rows of a stretch after the number `after`, in order.
    pub async fn rows(&self, stretch: &LedgerRange, after: u64, limit: usize) -> Result<Vec<LedgerRow>, StoreError> {
        let LedgerId { client, environment } = stretch.ledger;
        let entries = self.billing.rows(client, environment, after.max(stretch.after), limit).await?;
        Ok(entries.into_iter().map(|entry| entry.row).take_while(|row| row.seq <= stretch.last).collect())
    }

    async fn meter(&self, LedgerId { client, environment }: LedgerId) -> Result<MeterState, StoreError> {
        let meter = self.billing.meter(client, environment).await?;
        Ok(meter.unwrap_or_else(|| MeterState::new(client, environment)))
    }

    /// The number of the last row that is dated before `at`, of the rows `first` to `last`; `first` if none of them is. Rows are
    /// dated in their order, so that halving finds it.
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

    async fn row(&self, LedgerId { client, environment }: LedgerId, seq: u64) -> Result<LedgerRow, StoreError> {
        let found = self.billing.rows(client, environment, seq - 1, 1).await?;
        let missing = || StoreError::Corrupt(format!("row {seq} of the ledger of client {client} is missing"));
        found.first().map(|entry| entry.row).ok_or_else(missing)
    }
}
