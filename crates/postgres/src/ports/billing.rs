//! Ledgers, meters and invoices.

mod facts;
mod invoices;
mod ledger;
mod openings;

use crate::PostgresStore;
use crate::common;
use crate::sql::billing;
use crate::value::values;
use async_trait::async_trait;
use std::sync::Arc;
use voight_domain::billing::PriceBook;
use voight_domain::invoicing::{
    Adjustment, BillingFacts, CloseScope, Invoice, InvoiceChange, InvoiceId, NewAdjustment,
};
use voight_domain::metering::{Alert, EndedPeriod, LedgerId, Limit, MeterRules, MeterState};
use voight_domain::ports::{BillingStore, LedgerEntry, StoreError};
use voight_domain::registry::{Actor, AuditEntry};
use voight_domain::vocabulary::{ClientId, Timestamp};

#[async_trait]
impl BillingStore for PostgresStore {
    async fn meter(&self, ledger: LedgerId) -> Result<Option<MeterState>, StoreError> {
        self.read(ledger, |transaction, ledger| {
            Box::pin(common::meter(transaction, *ledger))
        })
        .await
    }

    async fn rows(
        &self,
        ledger: LedgerId,
        after: u64,
        limit: usize,
    ) -> Result<Vec<LedgerEntry>, StoreError> {
        let page = values![ledger.client, ledger.environment, after, limit];
        self.read(page, |transaction, page| {
            Box::pin(ledger::rows(transaction, page))
        })
        .await
    }

    async fn ended_periods(
        &self,
        ledger: LedgerId,
        after: u64,
        limit: usize,
    ) -> Result<Vec<EndedPeriod>, StoreError> {
        let page = values![ledger.client, ledger.environment, after, limit];
        self.read(page, |transaction, page| {
            Box::pin(transaction.list(billing::ENDED_PERIODS, page.clone()))
        })
        .await
    }

    async fn alerts(
        &self,
        ledger: LedgerId,
        after: u64,
        limit: usize,
    ) -> Result<Vec<Alert>, StoreError> {
        let page = values![ledger.client, ledger.environment, after, limit];
        self.read(page, |transaction, page| {
            Box::pin(transaction.list(billing::ALERTS, page.clone()))
        })
        .await
    }

    async fn set_limit(
        &self,
        ledger: LedgerId,
        limit: Limit,
        book: Arc<PriceBook>,
        audit: AuditEntry,
    ) -> Result<(), StoreError> {
        let arguments = (ledger, limit, book, audit);
        self.write(arguments, |transaction, (ledger, limit, book, audit)| {
            Box::pin(ledger::set_limit(transaction, *ledger, *limit, book, audit))
        })
        .await
    }

    async fn billing(&self, client: ClientId) -> Result<Option<BillingFacts>, StoreError> {
        self.snapshot(client, |transaction, client| {
            Box::pin(facts::read(transaction, *client))
        })
        .await
    }

    async fn close(
        &self,
        client: ClientId,
        scope: CloseScope,
        rules: MeterRules,
        actor: Actor,
    ) -> Result<Option<Vec<Invoice>>, StoreError> {
        let arguments = (client, scope, rules, actor);
        self.write(arguments, |transaction, (client, scope, rules, actor)| {
            Box::pin(invoices::close_in(
                transaction,
                *client,
                *scope,
                rules,
                actor,
            ))
        })
        .await
    }

    async fn invoice(&self, id: InvoiceId) -> Result<Option<Invoice>, StoreError> {
        let of = values![id.client, id.number];
        self.read(of, |transaction, of| {
            Box::pin(transaction.fetch(billing::INVOICE, of.clone()))
        })
        .await
    }

    async fn invoices(
        &self,
        client: ClientId,
        after: u32,
        limit: usize,
    ) -> Result<Vec<Invoice>, StoreError> {
        let page = values![client, after, limit];
        self.read(page, |transaction, page| {
            Box::pin(transaction.list(billing::INVOICES, page.clone()))
        })
        .await
    }

    async fn change_invoice(
        &self,
        id: InvoiceId,
        change: InvoiceChange,
        audit: AuditEntry,
    ) -> Result<Option<Invoice>, StoreError> {
        let arguments = (id, change, audit);
        self.write(arguments, |transaction, (id, change, audit)| {
            Box::pin(invoices::change(transaction, *id, change, audit))
        })
        .await
    }

    async fn adjust(
        &self,
        client: ClientId,
        adjustment: NewAdjustment,
        audit: AuditEntry,
    ) -> Result<Option<Adjustment>, StoreError> {
        let arguments = (client, adjustment, audit);
        self.write(arguments, |transaction, (client, adjustment, audit)| {
            Box::pin(invoices::adjust(transaction, *client, adjustment, audit))
        })
        .await
    }

    async fn forget_openings(&self, before: Timestamp, limit: usize) -> Result<usize, StoreError> {
        let ledgers = self
            .read((), |transaction, ()| {
                Box::pin(openings::ledgers(transaction))
            })
            .await?;
        let mut deleted_openings = 0;
        for ledger in ledgers {
            if deleted_openings >= limit {
                break;
            }
            let arguments = (ledger, before, limit - deleted_openings);
            let deletion = self.write(arguments, |transaction, (ledger, before, limit)| {
                Box::pin(openings::delete_before(
                    transaction,
                    *ledger,
                    *before,
                    *limit,
                ))
            });
            deleted_openings += deletion.await?;
        }
        Ok(deleted_openings)
    }

    async fn expire_sandbox_rows(
        &self,
        before: Timestamp,
        limit: usize,
    ) -> Result<usize, StoreError> {
        let ledgers = self
            .read((), |transaction, ()| {
                Box::pin(openings::ledgers(transaction))
            })
            .await?;
        let mut deleted_rows = 0;
        for ledger in ledgers
            .into_iter()
            .filter(|ledger| ledger.environment.is_test())
        {
            if deleted_rows >= limit {
                break;
            }
            let arguments = (ledger, before, limit - deleted_rows);
            let deletion = self.write(arguments, |transaction, (ledger, before, limit)| {
                Box::pin(openings::expire_rows(transaction, *ledger, *before, *limit))
            });
            deleted_rows += deletion.await?;
        }
        Ok(deleted_rows)
    }
}
