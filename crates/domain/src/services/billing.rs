//! Statements, invoices, credits and limits of clients.

use super::contexts::usable_context;
use super::read_all::read_invoices;
use super::{Ports, ServiceError};
use crate::billing::{Currency, Money};
use crate::invoicing::{
    Adjustment, AdjustmentKind, BillingFacts, CloseScope, DraftInvoice, Invoice, InvoiceChange,
    InvoiceId, NewAdjustment, draft_invoices, outstanding,
};
use crate::metering::{LedgerId, Limit, MeterRules, MeterState, Month, Quote, QuoteError};
use crate::ports::{Clock, Store, StoreError};
use crate::registry::{Actor, AuditAction, AuditEntry, Client, ClientStatus, KeyWithClient};
use crate::vocabulary::{ClientId, ContextId, Environment, Timestamp, check_text};
use std::sync::Arc;

/// Use cases of billing.
#[derive(Clone)]
pub struct BillingService {
    store: Arc<dyn Store>,
    clock: Arc<dyn Clock>,
    rules: MeterRules,
    actor: Actor,
}

/// Reason for rejecting a quote.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RejectedQuote {
    /// The context does not exist, or the key may not use it.
    #[error("the context does not exist, or the key may not use it")]
    UnknownContext,
    /// There is no quote for as many lookups.
    #[error(transparent)]
    Quote(#[from] QuoteError),
    /// The store could not be read.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl BillingService {
    /// Creates the service with these ports and rules.
    pub fn new(ports: &Ports, rules: MeterRules) -> Self {
        let Ports { store, clock, .. } = ports.clone();
        Self {
            store,
            clock,
            rules,
            actor: Actor::Operator,
        }
    }

    /// Returns a service that names `actor` in the audit entries.
    #[must_use]
    pub fn acting_as(&self, actor: &Actor) -> Self {
        Self {
            actor: actor.clone(),
            ..self.clone()
        }
    }

    /// Returns the currency of new amounts: that of the price book in force.
    pub fn currency(&self) -> Currency {
        self.rules.price_book.currency()
    }

    /// Returns the draft invoice of the period that began in `month`, if it has no invoice.
    ///
    /// Without a month, returns the draft of the latest period without an invoice.
    pub async fn preview(
        &self,
        client: &Client,
        month: Option<Month>,
    ) -> Result<DraftInvoice, ServiceError> {
        let facts = self.facts(client).await?;
        let mut drafts = draft_invoices(&facts, &self.rules, self.clock.now()).map_err(invalid)?;
        let draft = match month {
            Some(month) => drafts
                .into_iter()
                .find(|draft| month.contains(draft.statement.period.start)),
            None => drafts.pop(),
        };
        draft.ok_or_else(|| match month {
            Some(month) => ServiceError::NotFound(format!(
                "period of {month} without an invoice; a period is named by the month in which it began"
            )),
            None => ServiceError::NotFound("period without an invoice".into()),
        })
    }

    /// Returns the cost of the next `units` lookups of a caller in a context that its key may use.
    pub async fn quote(
        &self,
        holder: &KeyWithClient,
        context: &ContextId,
        units: u64,
    ) -> Result<Quote, RejectedQuote> {
        usable_context(self.store.as_ref(), holder, context)
            .await?
            .ok_or(RejectedQuote::UnknownContext)?;
        let ledger = holder.ledger();
        let facts = self.store.billing(ledger.client).await?;
        // The facts are about live lookups. Their price books serve for the sandbox, too, if its period has one of them.
        let meter = match ledger.environment {
            Environment::Live => facts.as_ref().and_then(|facts| facts.meter),
            Environment::Sandbox => self.store.meter(ledger).await?,
        };
        let meter = meter.unwrap_or_else(|| MeterState::new(ledger));
        let books = facts.map(|facts| facts.price_books).unwrap_or_default();
        let running = books
            .iter()
            .find(|book| meter.price_book == Some(book.digest()));
        Ok(meter.quote(running, &self.rules, units, self.clock.now())?)
    }

    /// Issues an invoice for each ended period that has none; returns the issued invoices. With a month, that period
    /// must have ended.
    pub async fn close(
        &self,
        client: &Client,
        month: Option<Month>,
    ) -> Result<Vec<Invoice>, ServiceError> {
        if let Some(month) = month {
            self.reject_unfinished(client, month).await?;
        }
        self.close_which(client, CloseScope::EndedPeriods).await
    }

    /// Closes the client permanently: ends its running period now and issues its last invoice.
    pub async fn close_client(&self, client: &Client) -> Result<Vec<Invoice>, ServiceError> {
        self.close_which(client, CloseScope::IncludingCurrent).await
    }

    /// Returns the end of the earliest ended period without an invoice; `None` if there is none.
    pub async fn uninvoiced_since(
        &self,
        client: &Client,
    ) -> Result<Option<Timestamp>, ServiceError> {
        let facts = self.facts(client).await?;
        let now = self.clock.now();
        let running = facts
            .meter
            .and_then(|meter| meter.period)
            .filter(|period| period.end <= now);
        let oldest_period = facts.ended.first().map(|ended_period| ended_period.period);
        Ok(oldest_period.or(running).map(|period| period.end))
    }

    /// Returns the outstanding amount of the client in each currency ([`outstanding`]).
    pub async fn balance(&self, client: &Client) -> Result<Vec<Money>, ServiceError> {
        let facts = self.facts(client).await?;
        outstanding(
            &facts,
            &self.all_invoices(client.id).await?,
            self.currency(),
        )
        .map_err(invalid)
    }

    /// Returns all invoices of a client, ordered by number.
    pub async fn all_invoices(&self, client: ClientId) -> Result<Vec<Invoice>, StoreError> {
        read_invoices(self.store.as_ref(), client).await
    }

    /// Returns at most `limit` invoices of a client after number `after`.
    pub async fn invoices(
        &self,
        client: ClientId,
        after: u32,
        limit: usize,
    ) -> Result<Vec<Invoice>, StoreError> {
        self.store.invoices(client, after, limit).await
    }

    /// Returns the invoice with this id.
    pub async fn invoice(&self, id: InvoiceId) -> Result<Invoice, ServiceError> {
        self.store
            .invoice(id)
            .await?
            .ok_or_else(|| ServiceError::NotFound(format!("invoice {id}")))
    }

    /// Marks an open invoice as paid, void or uncollectible.
    pub async fn change_invoice(
        &self,
        id: InvoiceId,
        change: InvoiceChange,
    ) -> Result<Invoice, ServiceError> {
        let (action, detail) = match &change {
            InvoiceChange::Pay => (AuditAction::InvoicePaid, String::new()),
            InvoiceChange::Void { reason } => (
                AuditAction::InvoiceVoided,
                with_reason("a void invoice", reason)?,
            ),
            InvoiceChange::WriteOff => (AuditAction::InvoiceWrittenOff, String::new()),
        };
        let audit = self.audit(action, &id, detail);
        let changed_invoice = self.store.change_invoice(id, change, audit).await?;
        changed_invoice.ok_or_else(|| ServiceError::NotFound(format!("invoice {id}")))
    }

    /// Stores a credit or correction for the client's next invoice.
    pub async fn adjust(
        &self,
        client: &Client,
        adjustment: NewAdjustment,
    ) -> Result<Adjustment, ServiceError> {
        let adjustment = NewAdjustment {
            reason: with_reason("a credit or correction", &adjustment.reason)?,
            ..adjustment
        };
        if adjustment.amount.minor == 0 {
            return Err(ServiceError::Invalid(
                "the amount is zero, so there is nothing to adjust".into(),
            ));
        }
        if adjustment.kind == AdjustmentKind::Credit && adjustment.amount.minor > 0 {
            let message = "a credit is written as an amount above zero; what the client has to pay is a correction";
            return Err(ServiceError::Invalid(message.into()));
        }
        if adjustment.amount.currency != self.currency() {
            return Err(ServiceError::Invalid(format!(
                "write the amount in {}",
                self.currency()
            )));
        }
        self.reject_if_no_invoice_follows(client).await?;
        let audit = adjustment.audit_entry(client.id, self.actor.clone(), self.clock.now());
        let stored_adjustment = self.store.adjust(client.id, adjustment, audit).await?;
        stored_adjustment.ok_or_else(|| ServiceError::NotFound(format!("client {}", client.id)))
    }

    /// Returns the client's credits and corrections that are on no invoice.
    pub async fn waiting(&self, client: &Client) -> Result<Vec<Adjustment>, ServiceError> {
        Ok(self.facts(client).await?.pending_adjustments)
    }

    /// Sets or clears a limit of the client's live lookups.
    pub async fn set_limit(&self, client: &Client, limit: Limit) -> Result<(), ServiceError> {
        if client.status == ClientStatus::Closed {
            return Err(ServiceError::Invalid(
                "the client is permanently closed, so no limit can be set".into(),
            ));
        }
        let audit = self.audit(AuditAction::LimitChanged, &client.id, describe_limit(limit));
        let result = self
            .store
            .set_limit(
                LedgerId::live(client.id),
                limit,
                Arc::clone(&self.rules.price_book),
                audit,
            )
            .await;
        result.map_err(|error| match error {
            StoreError::Conflict(why) => ServiceError::Invalid(why),
            other => other.into(),
        })
    }

    async fn close_which(
        &self,
        client: &Client,
        which: CloseScope,
    ) -> Result<Vec<Invoice>, ServiceError> {
        let invoices = self
            .store
            .close(client.id, which, self.rules.clone(), self.actor.clone())
            .await?;
        invoices.ok_or_else(|| ServiceError::NotFound(format!("client {}", client.id)))
    }

    async fn reject_unfinished(&self, client: &Client, month: Month) -> Result<(), ServiceError> {
        let now = self.clock.now();
        if now < month.start() {
            return Err(ServiceError::Invalid(format!(
                "{month} has not begun; close it when it is over"
            )));
        }
        let running = self
            .facts(client)
            .await?
            .meter
            .and_then(|meter| meter.period);
        let running = running.filter(|running| month.contains(running.start));
        let period = running.unwrap_or_else(|| month.period(self.rules.period_start_day));
        if now < period.end {
            let message = format!(
                "the period of {month} runs until {}; close it from then on",
                period.end
            );
            return Err(ServiceError::Invalid(message));
        }
        Ok(())
    }

    async fn reject_if_no_invoice_follows(&self, client: &Client) -> Result<(), ServiceError> {
        let facts = self.facts(client).await?;
        if facts.client.status == ClientStatus::Closed && facts.ended.is_empty() {
            let message = "the client is closed and its last invoice is issued; void that first, and close it again afterwards";
            return Err(ServiceError::Invalid(message.into()));
        }
        Ok(())
    }

    async fn facts(&self, client: &Client) -> Result<BillingFacts, ServiceError> {
        let facts = self.store.billing(client.id).await?;
        facts.ok_or_else(|| ServiceError::NotFound(format!("client {}", client.id)))
    }

    fn audit(
        &self,
        action: AuditAction,
        subject: &dyn std::fmt::Display,
        detail: String,
    ) -> AuditEntry {
        AuditEntry {
            at: self.clock.now(),
            actor: self.actor.clone(),
            action,
            subject: subject.to_string(),
            detail,
        }
    }
}

fn with_reason(what: &str, reason: &str) -> Result<String, ServiceError> {
    check_text(reason).map_err(|error| ServiceError::Invalid(format!("in the reason, {error}")))?;
    match reason.trim() {
        "" => Err(ServiceError::Invalid(format!(
            "{what} needs a reason; it is kept, and shown to the client"
        ))),
        reason => Ok(reason.to_owned()),
    }
}

fn describe_limit(limit: Limit) -> String {
    let amount = |amount: Option<Money>| {
        amount.map_or_else(|| "none".to_owned(), |amount| amount.to_string())
    };
    match limit {
        Limit::Lookups(cap) => {
            format!(
                "cap in lookups: {}",
                cap.map_or_else(|| "none".to_owned(), |cap| cap.to_string())
            )
        }
        Limit::Money(cap) => format!("cap in money: {}", amount(cap)),
        Limit::Budget(budget) => format!("budget: {}", amount(budget)),
    }
}

fn invalid(error: impl std::fmt::Display) -> ServiceError {
    ServiceError::Invalid(error.to_string())
}
