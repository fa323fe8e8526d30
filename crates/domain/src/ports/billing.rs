//! The ledger as it is read for usage and invoices.

use super::StoreError;
use crate::metering::{LedgerRow, MeterState, Opening};
use crate::vocabulary::{ClientId, Environment};
use async_trait::async_trait;

/// A ledger row with the opening of its commitment, while that is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LedgerEntry {
    /// The row.
    pub row: LedgerRow,
    /// The opening; `None` for markers, and after retention or an erase.
    pub opening: Option<Opening>,
}

/// Reads ledgers and meters.
#[async_trait]
pub trait BillingStore: Send + Sync {
    /// The meter of a client; `None` before its first lookup and its first cap.
    async fn meter(&self, client: ClientId, environment: Environment) -> Result<Option<MeterState>, StoreError>;

    /// At most `limit` rows of a ledger after the sequence number `after`, in order.
    ///
    /// - `rows_are_paged_in_order`: pages joined give every row once, in the order of the sequence.
    async fn rows(
        &self,
        client: ClientId,
        environment: Environment,
        after: u64,
        limit: usize,
    ) -> Result<Vec<LedgerEntry>, StoreError>;

    /// Sets or clears a client's hard cap, in billable lookups a period.
    async fn set_cap(&self, client: ClientId, environment: Environment, cap: Option<u64>) -> Result<(), StoreError>;
}
