//! Ledgers, meters and invoices.

mod facts;
mod invoices;
mod openings;
mod sandbox_rows;

use crate::common::{self, not_found};
use crate::read_records::ReadRecords;
use crate::write_transaction::WriteTransaction;
use crate::{EmbeddedStore, table};
use async_trait::async_trait;
use std::sync::Arc;
use voight_domain::billing::PriceBook;
use voight_domain::invoicing::{
    Adjustment, BillingFacts, CloseRequest, CloseScope, Invoice, InvoiceChange, InvoiceId,
    NewAdjustment,
};
use voight_domain::metering::{Alert, EndedPeriod, LedgerId, Limit, MeterRules, MeterState};
use voight_domain::ports::{BillingStore, LedgerEntry, StoreError};
use voight_domain::registry::{Actor, AuditEntry};
use voight_domain::vocabulary::{ClientId, Timestamp};
use voight_engine::Engine;

#[async_trait]
impl<E: Engine> BillingStore for EmbeddedStore<E> {
    async fn meter(&self, ledger: LedgerId) -> Result<Option<MeterState>, StoreError> {
        self.main
            .read(|view| match common::client_number(view, ledger.client)? {
                Some(client_number) => common::meter(view, client_number, ledger.environment),
                None => Ok(None),
            })
    }

    async fn rows(
        &self,
        ledger: LedgerId,
        after: u64,
        limit: usize,
    ) -> Result<Vec<LedgerEntry>, StoreError> {
        self.main.read(|view| {
            let Some(client_number) = common::client_number(view, ledger.client)? else {
                return Ok(Vec::new());
            };
            let first_row = table::row(client_number, ledger.environment, after);
            let rows = view.list(
                &table::rows(client_number, ledger.environment).starting_after(first_row),
                limit,
            )?;
            rows.into_iter()
                .map(|row| {
                    let opening =
                        view.fetch(&table::opening(client_number, ledger.environment, row.seq))?;
                    Ok(LedgerEntry { row, opening })
                })
                .collect()
        })
    }

    async fn ended_periods(
        &self,
        ledger: LedgerId,
        after: u64,
        limit: usize,
    ) -> Result<Vec<EndedPeriod>, StoreError> {
        self.main.read(|view| {
            let Some(client_number) = common::client_number(view, ledger.client)? else {
                return Ok(Vec::new());
            };
            let first = table::ended_period(client_number, ledger.environment, after);
            view.list(
                &table::ended_periods(client_number, ledger.environment).starting_after(first),
                limit,
            )
        })
    }

    async fn alerts(
        &self,
        ledger: LedgerId,
        after: u64,
        limit: usize,
    ) -> Result<Vec<Alert>, StoreError> {
        self.main
            .read(|view| match common::client_number(view, ledger.client)? {
                Some(client_number) => view.list(
                    &table::alerts_from(client_number, ledger.environment, after.saturating_add(1)),
                    limit,
                ),
                None => Ok(Vec::new()),
            })
    }

    async fn set_limit(
        &self,
        ledger: LedgerId,
        limit: Limit,
        book: Arc<PriceBook>,
        audit: AuditEntry,
    ) -> Result<(), StoreError> {
        self.main
            .write(move |transaction| set_limit(transaction, ledger, limit, &book, &audit))
            .await
    }

    async fn billing(&self, client: ClientId) -> Result<Option<BillingFacts>, StoreError> {
        self.main
            .read(|view| Ok(facts::read(view, client)?.map(|(_, facts)| facts)))
    }

    async fn close(
        &self,
        client: ClientId,
        scope: CloseScope,
        rules: MeterRules,
        actor: Actor,
    ) -> Result<Option<Vec<Invoice>>, StoreError> {
        let clock = Arc::clone(&self.clock);
        self.main
            .write(move |transaction| {
                let request = CloseRequest {
                    scope,
                    rules: &rules,
                    actor: &actor,
                    now: clock.now(),
                };
                invoices::close_periods(transaction, client, request)
            })
            .await
    }

    async fn invoice(&self, id: InvoiceId) -> Result<Option<Invoice>, StoreError> {
        self.main
            .read(|view| match common::client_number(view, id.client)? {
                Some(client_number) => view.fetch(&table::invoice(client_number, id.number)),
                None => Ok(None),
            })
    }

    async fn invoices(
        &self,
        client: ClientId,
        after: u32,
        limit: usize,
    ) -> Result<Vec<Invoice>, StoreError> {
        self.main
            .read(|view| match common::client_number(view, client)? {
                Some(client_number) => view.list(
                    &table::invoices(client_number)
                        .starting_after(table::invoice(client_number, after)),
                    limit,
                ),
                None => Ok(Vec::new()),
            })
    }

    async fn change_invoice(
        &self,
        id: InvoiceId,
        change: InvoiceChange,
        audit: AuditEntry,
    ) -> Result<Option<Invoice>, StoreError> {
        let clock = Arc::clone(&self.clock);
        self.main
            .write(move |transaction| {
                invoices::change(transaction, id, change, &audit, clock.now())
            })
            .await
    }

    async fn adjust(
        &self,
        client: ClientId,
        adjustment: NewAdjustment,
        audit: AuditEntry,
    ) -> Result<Option<Adjustment>, StoreError> {
        let clock = Arc::clone(&self.clock);
        self.main
            .write(move |transaction| {
                invoices::adjust(transaction, client, adjustment, &audit, clock.now())
            })
            .await
    }

    async fn forget_openings(&self, before: Timestamp, limit: usize) -> Result<usize, StoreError> {
        let expired_openings = self
            .main
            .read(|view| openings::written_before(view, before, limit))?;
        if expired_openings.is_empty() {
            return Ok(0);
        }
        self.main
            .write(move |transaction| Ok(openings::delete_openings(transaction, expired_openings)))
            .await
    }

    async fn expire_sandbox_rows(
        &self,
        before: Timestamp,
        limit: usize,
    ) -> Result<usize, StoreError> {
        let expired_rows = self
            .main
            .read(|view| sandbox_rows::written_before(view, before, limit))?;
        if expired_rows.is_empty() {
            return Ok(0);
        }
        self.main
            .write(move |transaction| Ok(sandbox_rows::delete(transaction, expired_rows)))
            .await
    }
}

fn set_limit(
    transaction: &mut WriteTransaction<'_>,
    ledger: LedgerId,
    limit: Limit,
    book: &PriceBook,
    audit: &AuditEntry,
) -> Result<(), StoreError> {
    let client_number =
        common::client_number(transaction, ledger.client)?.ok_or_else(|| not_found("client"))?;
    let meter = common::meter(transaction, client_number, ledger.environment)?
        .unwrap_or_else(|| MeterState::new(ledger));
    let running = match meter.price_book {
        Some(digest) => transaction.fetch(&table::price_book(digest))?,
        None => None,
    };
    let limited_meter = meter.with_limit(limit, running.as_ref().unwrap_or(book));
    let limited_meter = limited_meter.map_err(StoreError::conflict)?;
    if limited_meter == meter {
        return Ok(());
    }
    transaction.put(
        table::meter(client_number, ledger.environment),
        &limited_meter,
    );
    common::append_audit(transaction, audit)
}
