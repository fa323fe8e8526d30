//! The ledger as it is read for usage, and the invoices that are made of it.

use super::StoreError;
use crate::billing::PriceBook;
use crate::invoicing::{Adjustment, BillingFacts, CloseScope, Invoice, InvoiceChange, InvoiceId, NewAdjustment};
use crate::metering::{Alert, EndedPeriod, LedgerRow, Limit, MeterRules, MeterState, Opening};
use crate::registry::{Actor, AuditEntry};
use crate::vocabulary::{ClientId, Environment, Timestamp};
use async_trait::async_trait;
use std::sync::Arc;

/// A ledger row with the opening of its commitment, while that is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LedgerEntry {
    /// The row.
    pub row: LedgerRow,
    /// The opening; `None` for markers, and after retention or an erase.
    pub opening: Option<Opening>,
}

/// Reads ledgers and meters, and keeps invoices. Every change carries the audit entry that is appended in the same step.
#[async_trait]
pub trait BillingStore: Send + Sync {
    /// The meter of a client; `None` before its first lookup and its first limit.
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

    /// At most `limit` ended periods of a ledger whose markers come after the sequence number `after`, in order.
    async fn ended_periods(
        &self,
        client: ClientId,
        environment: Environment,
        after: u64,
        limit: usize,
    ) -> Result<Vec<EndedPeriod>, StoreError>;

    /// At most `limit` alerts of a ledger that were raised by rows after the sequence number `after`, in order.
    ///
    /// - `alerts_are_raised_once`: under any concurrency each alert of a period is kept exactly once.
    async fn alerts(
        &self,
        client: ClientId,
        environment: Environment,
        after: u64,
        limit: usize,
    ) -> Result<Vec<Alert>, StoreError>;

    /// Sets or clears a limit of a client ([`MeterState::limited`]); `book` prices it unless a period is running, which has a
    /// book of its own. A limit that cannot be is a `Conflict`; one that is there already changes nothing
    /// and is not audited again.
    ///
    /// - `money_cap_is_exact`: under any concurrency no period costs more than the cap in money.
    async fn set_limit(
        &self,
        client: ClientId,
        environment: Environment,
        limit: Limit,
        book: Arc<PriceBook>,
        audit: AuditEntry,
    ) -> Result<(), StoreError>;

    /// What is known of a client's billing at one moment; `None` if there is no such client.
    ///
    /// - `price_book_is_kept`: the book of every period that is on no invoice, the running one too, is among its books.
    async fn billing(&self, client: ClientId) -> Result<Option<BillingFacts>, StoreError>;

    /// Closes ended periods ([`close`](crate::invoicing::close)) at the adapter's own clock, audited as an act of `actor`, in one step, and returns the
    /// invoices that were issued; `None` if there is no such client.
    ///
    /// - `period_is_invoiced_once`: under any concurrency a period is on at most one invoice that is not void.
    /// - `invoice_numbers_are_gapless`: numbers run from 1 within a client.
    /// - `close_and_marker_are_one`: the marker of a period, its invoice and its adjustments are written together.
    async fn close(
        &self,
        client: ClientId,
        which: CloseScope,
        rules: MeterRules,
        actor: Actor,
    ) -> Result<Option<Vec<Invoice>>, StoreError>;

    /// The invoice of this id.
    async fn invoice(&self, id: InvoiceId) -> Result<Option<Invoice>, StoreError>;

    /// At most `limit` invoices of a client after number `after`, in order.
    async fn invoices(&self, client: ClientId, after: u32, limit: usize) -> Result<Vec<Invoice>, StoreError>;

    /// Changes an open invoice at the adapter's own clock; `None` if there is none of this id. One that is not open is a
    /// `Conflict`.
    ///
    /// - `void_returns_the_period`: a voided invoice's period and adjustments go to exactly one other invoice.
    /// - `open_invoice_never_changes`: nothing but its state is ever different.
    async fn change_invoice(
        &self,
        id: InvoiceId,
        change: InvoiceChange,
        audit: AuditEntry,
    ) -> Result<Option<Invoice>, StoreError>;

    /// Keeps a credit or correction until the next invoice takes it; `None` if there is no such client.
    ///
    /// - `adjustment_is_charged_once`: it is on exactly one invoice that is not void.
    async fn adjust(
        &self,
        client: ClientId,
        adjustment: NewAdjustment,
        audit: AuditEntry,
    ) -> Result<Option<Adjustment>, StoreError>;

    /// Removes at most `limit` openings of rows that were written before `before`; how many it removed.
    ///
    /// - `deleted_openings_keep_the_ledger`: rows, meters and chains stay as they are.
    async fn forget_openings(&self, before: Timestamp, limit: usize) -> Result<usize, StoreError>;
}
