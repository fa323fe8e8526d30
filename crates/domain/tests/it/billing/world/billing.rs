//! Actions of an operator: closings, voided invoices, credits, limits.

use super::BillingSimulation;
use voight_domain::billing::{Currency, Money};
use voight_domain::invoicing::{
    AdjustmentKind, CloseRequest, CloseScope, CloseStep, Invoice, InvoiceChange, NewAdjustment,
    close, void,
};
use voight_domain::metering::{LedgerId, Limit, MeterState};
use voight_domain::registry::Actor;

impl BillingSimulation {
    /// Closes periods, and repeats the closing at the same moment.
    pub(super) fn close(&mut self, which: CloseScope) {
        self.close_once(which);
        let repeated_step = self.close_once(which);
        self.closed_again
            .push((repeated_step.issued.len(), repeated_step.write.is_some()));
    }

    fn close_once(&mut self, which: CloseScope) -> CloseStep {
        let request = CloseRequest {
            scope: which,
            rules: &self.rules,
            actor: &Actor::Operator,
            now: self.now,
        };
        let step = close(&self.facts(), request).unwrap();
        self.issued.extend(step.issued.iter().cloned());
        self.invoices.extend(
            step.issued
                .iter()
                .map(|invoice| (invoice.id.number, invoice.clone())),
        );
        if let Some(write) = &step.write {
            self.rows.extend(write.marker);
            self.meter = Some(write.meter);
            self.ended
                .extend(write.ended.iter().map(|period| (period.last_seq, *period)));
            self.adjustments.extend(
                write
                    .adjustments
                    .iter()
                    .map(|adjustment| (adjustment.number, adjustment.clone())),
            );
            self.account = write.account.clone();
        }
        if let Some(closed) = &step.closed {
            self.client = closed.clone();
        }
        step
    }

    /// Pays, voids or writes off one of the invoices; an invoice that is not open does not change.
    pub(super) fn change_invoice(&mut self) {
        let number = self.random.u32(..=self.account.last_invoice_number);
        let Some(invoice) = self.invoices.get(&number).cloned() else {
            return;
        };
        let changed_invoice = match self.random.u8(..4) {
            0 => invoice.with_change(InvoiceChange::Pay, self.now).ok(),
            1 => invoice.with_change(InvoiceChange::WriteOff, self.now).ok(),
            _ => self.void_invoice(invoice),
        };
        self.invoices
            .extend(changed_invoice.map(|invoice| (number, invoice)));
    }

    fn void_invoice(&mut self, invoice: Invoice) -> Option<Invoice> {
        let period = self.ended[&invoice.statement.last_seq];
        let void_write = void(
            invoice,
            "a wrong book".to_owned(),
            period,
            self.account.clone(),
            self.now,
        )
        .ok()?;
        self.ended
            .insert(void_write.period.last_seq, void_write.period);
        self.adjustments.extend(
            void_write
                .adjustments
                .into_iter()
                .map(|adjustment| (adjustment.number, adjustment)),
        );
        self.account = void_write.account;
        Some(void_write.invoice)
    }

    pub(super) fn adjust(&mut self) {
        let amount = Money {
            minor: self.random.i64(-800..200),
            currency: self.some_currency(),
        };
        let kind = if amount.minor < 0 {
            AdjustmentKind::Credit
        } else {
            AdjustmentKind::Correction
        };
        self.account.last_adjustment_number += 1;
        let new_adjustment = NewAdjustment {
            kind,
            amount,
            reason: "for the wait".to_owned(),
        };
        self.adjustments.insert(
            self.account.last_adjustment_number,
            new_adjustment.numbered(self.account.last_adjustment_number, self.now),
        );
    }

    /// Sets or clears a limit; an invalid one changes nothing.
    pub(super) fn limit(&mut self) {
        let amount = Money {
            minor: self.random.i64(0..1500),
            currency: self.some_currency(),
        };
        let is_set = self.random.u8(..4) > 0;
        let limit = match self.random.u8(..3) {
            0 => Limit::Lookups(is_set.then(|| self.random.u64(..25))),
            1 => Limit::Money(is_set.then_some(amount)),
            _ => Limit::Budget(is_set.then_some(amount)),
        };
        let meter = self
            .meter
            .unwrap_or_else(|| MeterState::new(LedgerId::live(self.client.id)));
        let running = meter.price_book.map(|digest| self.books[&digest].clone());
        let book = running.unwrap_or_else(|| self.rules.price_book.as_ref().clone());
        let Ok(limited) = meter.with_limit(limit, &book) else {
            return;
        };
        self.meter = Some(limited);
        match limit {
            Limit::Lookups(cap) => self.limits.cap = cap,
            Limit::Money(amount) => self.limits.money = amount,
            Limit::Budget(amount) => {
                self.limits.budgets += u32::from(self.limits.budget != amount);
                self.limits.budget = amount;
            }
        }
    }

    fn some_currency(&mut self) -> Currency {
        let is_foreign = self.random.u8(..5) == 0;
        if is_foreign {
            "JPY".parse().unwrap()
        } else {
            Currency::USD
        }
    }
}
