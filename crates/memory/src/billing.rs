//! Ledgers, meters and invoices.

use crate::MemoryStore;
use crate::state::State;
use async_trait::async_trait;
use std::collections::BTreeMap;
use std::ops::Bound;
use std::sync::Arc;
use voight_domain::billing::PriceBook;
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
        let before = state.meters.get(&ledger).copied();
        let before = before.unwrap_or_else(|| MeterState::new(ledger));
        let running = state
            .books
            .iter()
            .find(|kept| before.price_book == Some(kept.digest()));
        let limited = before
            .with_limit(limit, running.unwrap_or(&book))
            .map_err(refused)?;
        if limited != before {
            state.meters.insert(ledger, limited);
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
        which: CloseScope,
        rules: MeterRules,
        actor: Actor,
    ) -> Result<Option<Vec<Invoice>>, StoreError> {
        let mut state = self.state()?;
        let Some(facts) = state.billing(client) else {
            return Ok(None);
        };
        let request = CloseRequest {
            scope: which,
            rules: &rules,
            actor: &actor,
            now: self.clock.now(),
        };
        let step = close(&facts, request).map_err(refused)?;
        let issued = step
            .issued
            .iter()
            .map(|invoice| (invoice.id.number, invoice.clone()));
        state.invoices.entry(client).or_default().extend(issued);
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
            .extend(step.closed.map(|closed| (client, closed)));
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
        let found = state
            .invoices
            .get(&id.client)
            .and_then(|invoices| invoices.get(&id.number))
            .cloned();
        let Some(invoice) = found else {
            return Ok(None);
        };
        let changed = match change {
            InvoiceChange::Void { reason } => state.take_back(invoice, reason, self.clock.now())?,
            other => invoice
                .with_change(other, self.clock.now())
                .map_err(refused)?,
        };
        state
            .invoices
            .entry(id.client)
            .or_default()
            .insert(id.number, changed.clone());
        state.audit.push(audit);
        Ok(Some(changed))
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
        let due = entries.filter(|entry| entry.row.at < before && entry.opening.is_some());
        Ok(due.take(limit).map(|entry| entry.opening = None).count())
    }

    async fn expire_sandbox_rows(
        &self,
        before: Timestamp,
        limit: usize,
    ) -> Result<usize, StoreError> {
        let mut state = self.state()?;
        let mut due = Vec::new();
        for (ledger, entries) in state
            .ledgers
            .iter()
            .filter(|(ledger, _)| ledger.environment.is_test())
        {
            let last = entries.keys().next_back().copied();
            let expired = entries
                .iter()
                .filter(|(seq, entry)| entry.row.at < before && Some(**seq) != last);
            due.extend(expired.map(|(seq, _)| (*ledger, *seq)));
        }
        due.truncate(limit);
        for (ledger, seq) in &due {
            state.ledgers.entry(*ledger).or_default().remove(seq);
            state.ended.entry(*ledger).or_default().remove(seq);
        }
        Ok(due.len())
    }
}

impl State {
    fn billing(&self, client: ClientId) -> Option<BillingFacts> {
        let ledger = LedgerId::live(client);
        let meter = self.meters.get(&ledger).copied();
        let ended = self
            .ended
            .get(&ledger)
            .into_iter()
            .flat_map(BTreeMap::values);
        let ended: Vec<_> = ended
            .filter(|period| period.invoice.is_none())
            .copied()
            .collect();
        let waiting = self
            .adjustments
            .get(&client)
            .into_iter()
            .flat_map(BTreeMap::values);
        let books = self.books.iter().filter(|book| {
            let digest = book.digest();
            let is_running = meter.is_some_and(|meter| meter.price_book == Some(digest));
            is_running || ended.iter().any(|period| period.book == digest)
        });
        Some(BillingFacts {
            client: self.clients.get(&client)?.clone(),
            meter,
            price_books: books.map(|book| PriceBook::clone(book)).collect(),
            account: self.accounts.get(&client).cloned().unwrap_or_default(),
            pending_adjustments: waiting
                .filter(|made| made.invoice.is_none())
                .cloned()
                .collect(),
            ended,
        })
    }

    fn take_back(
        &mut self,
        invoice: Invoice,
        reason: String,
        now: Timestamp,
    ) -> Result<Invoice, StoreError> {
        let (client, last) = (invoice.id.client, invoice.statement.last_seq);
        let ledger = LedgerId::live(client);
        let period = self
            .ended
            .get(&ledger)
            .and_then(|ended| ended.get(&last))
            .copied();
        let period = period
            .ok_or_else(|| StoreError::Corrupt("the period of an invoice is missing".to_owned()))?;
        let account = self.accounts.get(&client).cloned().unwrap_or_default();
        let written = void(invoice, reason, period, account, now).map_err(refused)?;
        self.ended
            .entry(ledger)
            .or_default()
            .insert(last, written.period);
        self.keep_adjustments(client, written.adjustments);
        self.accounts.insert(client, written.account);
        Ok(written.invoice)
    }

    fn keep_adjustments(
        &mut self,
        client: ClientId,
        adjustments: impl IntoIterator<Item = Adjustment>,
    ) {
        let kept = self.adjustments.entry(client).or_default();
        kept.extend(adjustments.into_iter().map(|made| (made.number, made)));
    }
}

/// Returns at most `limit` values with numbers after `after`.
fn page<N: Ord, T: Clone>(values: Option<&BTreeMap<N, T>>, after: N, limit: usize) -> Vec<T> {
    let found = values.map(|values| values.range((Bound::Excluded(after), Bound::Unbounded)));
    found
        .into_iter()
        .flatten()
        .take(limit)
        .map(|(_, value)| value.clone())
        .collect()
}

fn refused(error: impl std::fmt::Display) -> StoreError {
    StoreError::Conflict(error.to_string())
}
