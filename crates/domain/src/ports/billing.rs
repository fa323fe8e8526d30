//! Port of billing: reads ledgers for usage, and creates and stores invoices.

use super::StoreError;
use crate::billing::PriceBook;
use crate::invoicing::{
    Adjustment, BillingFacts, CloseScope, Invoice, InvoiceChange, InvoiceId, NewAdjustment,
};
use crate::metering::{
    Alert, EndedPeriod, LedgerId, LedgerRow, Limit, MeterRules, MeterState, Opening,
};
use crate::registry::{Actor, AuditEntry};
use crate::vocabulary::{ClientId, Timestamp};
use async_trait::async_trait;
use std::sync::Arc;

/// Ledger row with the opening of its commitment, while the opening is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LedgerEntry {
    /// The row.
    pub row: LedgerRow,
    /// The opening; `None` for markers, and after the retention period or an erasure.
    pub opening: Option<Opening>,
}

/// Reads ledgers and meters, and stores invoices. Every change carries the audit entry that is appended in the same
/// transaction.
#[async_trait]
pub trait BillingStore: Send + Sync {
    /// Returns the meter of a ledger; `None` before its first lookup and its first limit.
    async fn meter(&self, ledger: LedgerId) -> Result<Option<MeterState>, StoreError>;

    /// Returns at most `limit` rows of a ledger after the sequence number `after`, in order.
    ///
    /// - `rows_are_paged_in_order`: the pages together hold every row once, in the order of the sequence numbers.
    async fn rows(
        &self,
        ledger: LedgerId,
        after: u64,
        limit: usize,
    ) -> Result<Vec<LedgerEntry>, StoreError>;

    /// Returns at most `limit` ended periods of a ledger, in order, with markers after number `after`.
    async fn ended_periods(
        &self,
        ledger: LedgerId,
        after: u64,
        limit: usize,
    ) -> Result<Vec<EndedPeriod>, StoreError>;

    /// Returns at most `limit` alerts of a ledger, in order, that rows after number `after` raised.
    ///
    /// - `alerts_are_raised_once`: under any concurrency each alert of a period is stored exactly once.
    async fn alerts(
        &self,
        ledger: LedgerId,
        after: u64,
        limit: usize,
    ) -> Result<Vec<Alert>, StoreError>;

    /// Sets or clears a limit of a ledger's meter ([`MeterState::with_limit`]).
    ///
    /// `book` prices the limit unless a period is running, which has a price book of its own. An impossible limit is a
    /// `Conflict`; a limit that is already set changes nothing and is not audited again.
    ///
    /// - `money_cap_is_exact`: under any concurrency no period costs more than the cap in money.
    async fn set_limit(
        &self,
        ledger: LedgerId,
        limit: Limit,
        book: Arc<PriceBook>,
        audit: AuditEntry,
    ) -> Result<(), StoreError>;

    /// Returns the billing facts of a client at one moment; `None` if the client does not exist.
    ///
    /// - `price_book_is_kept`: the price books include that of every period without an invoice, the running period too.
    async fn billing(&self, client: ClientId) -> Result<Option<BillingFacts>, StoreError>;

    /// Closes ended periods ([`close`](crate::invoicing::close)) at the adapter's own clock.
    ///
    /// The closing is one transaction. Returns the issued invoices; `None` if the client does not exist. The audit
    /// entry names `actor`.
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

    /// Returns the invoice with this id.
    async fn invoice(&self, id: InvoiceId) -> Result<Option<Invoice>, StoreError>;

    /// Returns at most `limit` invoices of a client after number `after`, in order.
    async fn invoices(
        &self,
        client: ClientId,
        after: u32,
        limit: usize,
    ) -> Result<Vec<Invoice>, StoreError>;

    /// Changes an open invoice at the adapter's own clock.
    ///
    /// Returns `None` if the invoice does not exist. Changing an invoice that is not open is a `Conflict`.
    ///
    /// - `void_returns_the_period`: the period and the adjustments of a voided invoice move to exactly one other
    ///   invoice.
    /// - `open_invoice_never_changes`: no field of an invoice except its state ever changes.
    async fn change_invoice(
        &self,
        id: InvoiceId,
        change: InvoiceChange,
        audit: AuditEntry,
    ) -> Result<Option<Invoice>, StoreError>;

    /// Stores a credit or correction for the next invoice; `None` if the client does not exist.
    ///
    /// - `adjustment_is_charged_once`: an adjustment is on exactly one invoice that is not void.
    async fn adjust(
        &self,
        client: ClientId,
        adjustment: NewAdjustment,
        audit: AuditEntry,
    ) -> Result<Option<Adjustment>, StoreError>;

    /// Deletes at most `limit` openings of rows written before `before`; returns their number.
    ///
    /// - `deleted_openings_keep_the_ledger`: rows, meters and chains do not change.
    async fn forget_openings(&self, before: Timestamp, limit: usize) -> Result<usize, StoreError>;

    /// Deletes at most `limit` rows of sandbox ledgers written before `before`, with their openings and the periods that
    /// they end; returns the number of rows. The last row of a ledger stays, so that its meter leads to a row.
    ///
    /// - `expired_sandbox_rows_are_deleted`: no other row, no live ledger and no meter changes.
    async fn expire_sandbox_rows(
        &self,
        before: Timestamp,
        limit: usize,
    ) -> Result<usize, StoreError>;
}
