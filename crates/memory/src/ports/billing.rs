//! Ledgers, meters and invoices.

use crate::MemoryStore;
use crate::state::State;
use async_trait::async_trait;
use std::collections::BTreeMap;
use std::ops::Bound;
use std::sync::Arc;
use voight_domain::billing::PriceBook;
use voight_domain::events::invoice_event;
use voight_domain::invoicing::{
    Adjustment, BillingFacts, CloseRequest, CloseScope, Invoice, InvoiceChange, InvoiceId,
    NewAdjustment, close, void,
};
use voight_domain::metering::{Alert, EndedPeriod, LedgerId, Limit, MeterRules, MeterState};
use voight_domain::ports::{BillingStore, LedgerEntry, StoreError};
use voight_domain::registry::{Actor, AuditEntry};
use voight_domain::vocabulary::{ClientId, Timestamp};

#[async_trait]
impl BillingStore for MemoryStore {
    async fn meter(&self, ledger: LedgerId) -> Result<Option<MeterState>, StoreError> {
        Ok(self.state()?.meters.get(&ledger).copied())
    }

    async fn rows(
        &self,
        ledger: LedgerId,
        after: u64,
        limit: usize,
    ) -> Result<Vec<LedgerEntry>, StoreError> {
        Ok(page(self.state()?.ledgers.get(&ledger), after, limit))
    }

    async fn ended_periods(
        &self,
        ledger: LedgerId,
        after: u64,
        limit: usize,
    ) -> Result<Vec<EndedPeriod>, StoreError> {
        Ok(page(self.state()?.ended.get(&ledger), after, limit))
    }

    async fn alerts(
        &self,
        ledger: LedgerId,
        after: u64,
        limit: usize,
    ) -> Result<Vec<Alert>, StoreError> {
        let state = self.state()?;
        let alerts = state.alerts.get(&ledger).into_iter().flatten();
        Ok(alerts
            .filter(|alert| alert.seq > after)
            .take(limit)
            .copied()
            .collect())
    }

    async fn set_limit(
        &self,
        ledger: LedgerId,
        limit: Limit,
        book: Arc<PriceBook>,
        audit: AuditEntry,
    ) -> Result<(), StoreError> {
        let mut state = self.state()?;
        if !state.clients.contains_key(&ledger.client) {
            return Err(StoreError::Conflict(format!(
                "there is no client {}",
                ledger.client
            )));
        }
        let meter = state.meters.get(&ledger).copied();
        let meter = meter.unwrap_or_else(|| MeterState::new(ledger));
        let running = state
            .books
            .iter()
            .find(|price_book| meter.price_book == Some(price_book.digest()));
        let limited_meter = meter
            .with_limit(limit, running.unwrap_or(&book))
            .map_err(StoreError::conflict)?;
        if limited_meter != meter {
            state.meters.insert(ledger, limited_meter);
            state.audit.push(audit);
        }
        Ok(())
    }

    async fn billing(&self, client: ClientId) -> Result<Option<BillingFacts>, StoreError> {
        Ok(self.state()?.billing(client))
    }

    async fn close(
        &self,
        client: ClientId,
        scope: CloseScope,
        rules: MeterRules,
        actor: Actor,
    ) -> Result<Option<Vec<Invoice>>, StoreError> {
        let mut state = self.state()?;
        let Some(facts) = state.billing(client) else {
            return Ok(None);
        };
        let now = self.clock.now();
        let request = CloseRequest {
            scope,
            rules: &rules,
            actor: &actor,
            now,
        };
        let step = close(&facts, request).map_err(StoreError::conflict)?;
        let events: Vec<_> = step.issued.iter().filter_map(invoice_event).collect();
        state.append_client_events(client, events, now);
        let invoices = step
            .issued
            .iter()
            .map(|invoice| (invoice.id.number, invoice.clone()));
        state.invoices.entry(client).or_default().extend(invoices);
        if let Some(write) = step.write {
            let ledger = LedgerId::live(client);
            let marker = write
                .marker
                .map(|row| (row.seq, LedgerEntry { row, opening: None }));
            state.ledgers.entry(ledger).or_default().extend(marker);
            state.meters.insert(ledger, write.meter);
            state.ended.entry(ledger).or_default().extend(
                write
                    .ended
                    .into_iter()
                    .map(|period| (period.last_seq, period)),
            );
            state.keep_adjustments(client, write.adjustments);
            state.accounts.insert(client, write.account);
        }
        state
            .clients
            .extend(step.closed.map(|closed_client| (client, closed_client)));
        state.audit.extend(step.audit);
        Ok(Some(step.issued))
    }

    async fn invoice(&self, id: InvoiceId) -> Result<Option<Invoice>, StoreError> {
        Ok(self
            .state()?
            .invoices
            .get(&id.client)
            .and_then(|invoices| invoices.get(&id.number))
            .cloned())
    }

    async fn invoices(
        &self,
        client: ClientId,
        after: u32,
        limit: usize,
    ) -> Result<Vec<Invoice>, StoreError> {
        Ok(page(self.state()?.invoices.get(&client), after, limit))
    }

    async fn change_invoice(
        &self,
        id: InvoiceId,
        change: InvoiceChange,
        audit: AuditEntry,
    ) -> Result<Option<Invoice>, StoreError> {
        let mut state = self.state()?;
        let stored_invoice = state
            .invoices
            .get(&id.client)
            .and_then(|invoices| invoices.get(&id.number))
            .cloned();
        let Some(invoice) = stored_invoice else {
            return Ok(None);
        };
        let new_invoice = match change {
            InvoiceChange::Void { reason } => state.take_back(invoice, reason, self.clock.now())?,
            invoice_change => invoice
                .with_change(invoice_change, self.clock.now())
                .map_err(StoreError::conflict)?,
        };
        state
            .invoices
            .entry(id.client)
            .or_default()
            .insert(id.number, new_invoice.clone());
        let event = invoice_event(&new_invoice);
        state.append_client_events(id.client, event, self.clock.now());
        state.audit.push(audit);
        Ok(Some(new_invoice))
    }

    async fn adjust(
        &self,
        client: ClientId,
        adjustment: NewAdjustment,
        audit: AuditEntry,
    ) -> Result<Option<Adjustment>, StoreError> {
        let mut state = self.state()?;
        if !state.clients.contains_key(&client) {
            return Ok(None);
        }
        let account = state.accounts.entry(client).or_default();
        account.last_adjustment_number += 1;
        let adjustment = adjustment.numbered(account.last_adjustment_number, self.clock.now());
        state.keep_adjustments(client, [adjustment.clone()]);
        state.audit.push(audit);
        Ok(Some(adjustment))
    }

    async fn forget_openings(&self, before: Timestamp, limit: usize) -> Result<usize, StoreError> {
        let mut state = self.state()?;
        let entries = state.ledgers.values_mut().flat_map(BTreeMap::values_mut);
        let expired_entries =
            entries.filter(|entry| entry.row.at < before && entry.opening.is_some());
        Ok(expired_entries
            .take(limit)
            .map(|entry| entry.opening = None)
            .count())
    }

    async fn expire_sandbox_rows(
        &self,
        before: Timestamp,
        limit: usize,
    ) -> Result<usize, StoreError> {
        let mut state = self.state()?;
        let mut expired_rows = Vec::new();
        for (ledger, entries) in state
            .ledgers
            .iter()
            .filter(|(ledger, _)| ledger.environment.is_test())
        {
            let last = entries.keys().next_back().copied();
            let expired_entries = entries
                .iter()
                .filter(|(seq, entry)| entry.row.at < before && Some(**seq) != last);
            expired_rows.extend(expired_entries.map(|(seq, _)| (*ledger, *seq)));
        }
        expired_rows.truncate(limit);
        for (ledger, seq) in &expired_rows {
            state.ledgers.entry(*ledger).or_default().remove(seq);
            state.ended.entry(*ledger).or_default().remove(seq);
        }
        Ok(expired_rows.len())
    }
}

impl State {
    fn billing(&self, client: ClientId) -> Option<BillingFacts> {
        let ledger = LedgerId::live(client);
        let meter = self.meters.get(&ledger).copied();
        let ended_periods = self
            .ended
            .get(&ledger)
            .into_iter()
            .flat_map(BTreeMap::values);
        let ended_periods: Vec<_> = ended_periods
            .filter(|period| period.invoice.is_none())
            .copied()
            .collect();
        let adjustments = self
            .adjustments
            .get(&client)
            .into_iter()
            .flat_map(BTreeMap::values);
        let books = self.books.iter().filter(|book| {
            let digest = book.digest();
            let is_running = meter.is_some_and(|meter| meter.price_book == Some(digest));
            is_running || ended_periods.iter().any(|period| period.book == digest)
        });
        Some(BillingFacts {
            client: self.clients.get(&client)?.clone(),
            meter,
            price_books: books.map(|book| PriceBook::clone(book)).collect(),
            account: self.accounts.get(&client).cloned().unwrap_or_default(),
            pending_adjustments: adjustments
                .filter(|adjustment| adjustment.invoice.is_none())
                .cloned()
                .collect(),
            ended: ended_periods,
        })
    }

    fn take_back(
        &mut self,
        invoice: Invoice,
        reason: String,
        now: Timestamp,
    ) -> Result<Invoice, StoreError> {
        let client = invoice.id.client;
        let last = invoice.statement.last_seq;
        let ledger = LedgerId::live(client);
        let period = self
            .ended
            .get(&ledger)
            .and_then(|ended_periods| ended_periods.get(&last))
            .copied();
        let period = period
            .ok_or_else(|| StoreError::Corrupt("the period of an invoice is missing".to_owned()))?;
        let account = self.accounts.get(&client).cloned().unwrap_or_default();
        let voided_invoice =
            void(invoice, reason, period, account, now).map_err(StoreError::conflict)?;
        self.ended
            .entry(ledger)
            .or_default()
            .insert(last, voided_invoice.period);
        self.keep_adjustments(client, voided_invoice.adjustments);
        self.accounts.insert(client, voided_invoice.account);
        Ok(voided_invoice.invoice)
    }

    fn keep_adjustments(
        &mut self,
        client: ClientId,
        adjustments: impl IntoIterator<Item = Adjustment>,
    ) {
        let client_adjustments = self.adjustments.entry(client).or_default();
        client_adjustments.extend(
            adjustments
                .into_iter()
                .map(|adjustment| (adjustment.number, adjustment)),
        );
    }
}

/// Returns at most `limit` values with numbers after `after`.
fn page<N: Ord, T: Clone>(values: Option<&BTreeMap<N, T>>, after: N, limit: usize) -> Vec<T> {
    let range = values.map(|values| values.range((Bound::Excluded(after), Bound::Unbounded)));
    range
        .into_iter()
        .flatten()
        .take(limit)
        .map(|(_, value)| value.clone())
        .collect()
}
