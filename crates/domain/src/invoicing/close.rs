//! Closing of periods: each ended period is put on exactly one invoice, in order.

use super::statement::PeriodUsage;
use super::{Account, Adjustment, Invoice, InvoiceId, InvoiceState, Statement};
use crate::billing::{AmountOverflow, PriceBook, PriceBookDigest};
use crate::metering::{EndedPeriod, LedgerId, LedgerRow, MeterRules, MeterState, Period};
use crate::registry::{Actor, AuditAction, AuditEntry, Client, ClientStatus};
use crate::vocabulary::Timestamp;

/// Billing facts of a client at one moment, as a store holds them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BillingFacts {
    /// The client.
    pub client: Client,
    /// The meter of the client's live lookups; `None` before the first one.
    pub meter: Option<MeterState>,
    /// The ended periods without an invoice, in order.
    pub ended: Vec<EndedPeriod>,
    /// The price books of these periods and of the running one.
    pub price_books: Vec<PriceBook>,
    /// The account of the client.
    pub account: Account,
    /// The adjustments without an invoice, in order.
    pub pending_adjustments: Vec<Adjustment>,
}

/// Scope of a closing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CloseScope {
    /// All ended periods.
    EndedPeriods,
    /// The running period, too, which ends now: the client is closed.
    IncludingCurrent,
}

/// Request to close the periods of a client.
#[derive(Debug, Clone, Copy)]
pub struct CloseRequest<'a> {
    /// The scope of the closing.
    pub scope: CloseScope,
    /// The rules of periods.
    pub rules: &'a MeterRules,
    /// The operator, for the audit log.
    pub actor: &'a Actor,
    /// The current time.
    pub now: Timestamp,
}

/// Error of a closing.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CloseError {
    /// A total is too large.
    #[error(transparent)]
    OutOfRange(#[from] AmountOverflow),
    /// The price book of a period is missing.
    #[error("the price book {0} is missing from the store")]
    BookMissing(PriceBookDigest),
}

/// Changes that a store writes atomically.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CloseStep {
    /// The issued invoices, in order.
    pub issued: Vec<Invoice>,
    /// The changes of periods; `None` if no period is closed.
    pub write: Option<CloseWrite>,
    /// The closed client, if the client is closed.
    pub closed: Option<Client>,
    /// The entries to append to the audit log.
    pub audit: Vec<AuditEntry>,
}

/// Changes of a closing, besides the invoices.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CloseWrite {
    /// The marker of the running period, if it ends.
    pub marker: Option<LedgerRow>,
    /// The meter after the marker.
    pub meter: MeterState,
    /// The ended periods, each with the number of its invoice.
    pub ended: Vec<EndedPeriod>,
    /// The adjustments that are now on an invoice.
    pub adjustments: Vec<Adjustment>,
    /// The account after the closing.
    pub account: Account,
}

/// Draft invoice: a statement that is not issued.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DraftInvoice {
    /// The statement.
    pub statement: Statement,
    /// `true` if a marker has ended the period.
    pub ended: bool,
}

/// Closes periods of a client. Pure: adapters read the facts, call this, and write the step. A repeat
/// changes nothing.
pub fn close(facts: &BillingFacts, request: CloseRequest<'_>) -> Result<CloseStep, CloseError> {
    let CloseRequest {
        scope, actor, now, ..
    } = request;
    let (issued, write) = match facts.meter {
        Some(meter) => close_periods(facts, meter, request)?,
        None => (Vec::new(), None),
    };
    let leaves =
        scope == CloseScope::IncludingCurrent && facts.client.status != ClientStatus::Closed;
    let closed_client = leaves.then(|| Client {
        status: ClientStatus::Closed,
        ..facts.client.clone()
    });
    let entry = |action, subject: String, detail| AuditEntry {
        at: now,
        actor: actor.clone(),
        action,
        subject,
        detail,
    };
    let invoices = issued.iter().map(|invoice| {
        entry(
            AuditAction::InvoiceIssued,
            invoice.id.to_string(),
            format!("due {}", invoice.statement.due()),
        )
    });
    let client = closed_client.iter().map(|client| {
        entry(
            AuditAction::ClientClosed,
            client.id.to_string(),
            client.name.to_string(),
        )
    });
    let audit = invoices.chain(client).collect();
    Ok(CloseStep {
        issued,
        write,
        closed: closed_client,
        audit,
    })
}

fn close_periods(
    facts: &BillingFacts,
    mut meter: MeterState,
    CloseRequest {
        scope, rules, now, ..
    }: CloseRequest<'_>,
) -> Result<(Vec<Invoice>, Option<CloseWrite>), CloseError> {
    let ending = match scope {
        CloseScope::EndedPeriods => meter.end_period_if_due(now),
        CloseScope::IncludingCurrent => meter.end_period_early(now),
    };
    let ended_periods: Vec<_> = facts
        .ended
        .iter()
        .copied()
        .chain(ending.map(|ending| ending.period))
        .collect();
    if ended_periods.is_empty() {
        return Ok((Vec::new(), None));
    }
    let mut builder = StatementBuilder::new(facts);
    let mut invoices = Vec::new();
    let mut invoiced_periods = Vec::new();
    for period in ended_periods {
        let statement = builder.statement(PeriodUsage::from(&period), period.book, rules)?;
        builder.account.last_invoice_number += 1;
        let id = InvoiceId {
            client: facts.client.id,
            number: builder.account.last_invoice_number,
        };
        invoiced_periods.push(EndedPeriod {
            invoice: Some(id.number),
            ..period
        });
        let name = facts.client.name.clone();
        let replaces = period.last_voided_invoice;
        invoices.push(Invoice {
            id,
            name,
            statement,
            issued_at: now,
            replaces,
            state: InvoiceState::Open,
        });
    }
    let adjustments = invoices.iter().flat_map(on_invoice).collect();
    let marker = ending.map(|ending| ending.marker);
    let write = CloseWrite {
        marker,
        meter,
        ended: invoiced_periods,
        adjustments,
        account: builder.account,
    };
    Ok((invoices, Some(write)))
}

/// Returns the draft invoices of the periods without an invoice, in order, the running period last. They start with the
/// statements that `close` would issue. Without any lookup the only draft is that of the period of `now`, with the
/// adjustments.
pub fn draft_invoices(
    facts: &BillingFacts,
    rules: &MeterRules,
    now: Timestamp,
) -> Result<Vec<DraftInvoice>, CloseError> {
    let mut desk = StatementBuilder::new(facts);
    let mut drafts = Vec::new();
    for period in &facts.ended {
        let statement = desk.statement(PeriodUsage::from(period), period.book, rules)?;
        drafts.push(DraftInvoice {
            statement,
            ended: true,
        });
    }
    let meter = facts
        .meter
        .unwrap_or_else(|| MeterState::new(LedgerId::live(facts.client.id)));
    let running = meter.period.zip(meter.price_book);
    let running = running.map(|(period, book)| (PeriodUsage::current_period(&meter, period), book));
    let empty = || {
        let period = Period::month_containing(now, rules.period_start_day);
        (
            PeriodUsage::current_period(&meter, period),
            rules.price_book.digest(),
        )
    };
    if let Some((usage, book)) = running.or_else(|| drafts.is_empty().then(empty)) {
        drafts.push(DraftInvoice {
            statement: desk.statement(usage, book, rules)?,
            ended: false,
        });
    }
    Ok(drafts)
}

/// Builder that computes statements in order.
///
/// The first includes the pending adjustments, and each passes its balance to the next.
struct StatementBuilder<'a> {
    books: &'a [PriceBook],
    waiting: Vec<Adjustment>,
    account: Account,
}

impl<'a> StatementBuilder<'a> {
    fn new(facts: &'a BillingFacts) -> Self {
        Self {
            books: &facts.price_books,
            waiting: facts.pending_adjustments.clone(),
            account: facts.account.clone(),
        }
    }

    fn statement(
        &mut self,
        usage: PeriodUsage,
        book: PriceBookDigest,
        rules: &MeterRules,
    ) -> Result<Statement, CloseError> {
        let book = self.book(book, rules)?;
        let currency = book.currency();
        // An adjustment in another currency stays pending for an invoice in that currency.
        let (taken, left) = self
            .waiting
            .drain(..)
            .partition(|made: &Adjustment| made.amount.currency == currency);
        self.waiting = left;
        let statement = Statement::new(usage, book, taken, self.account.balance(currency))?;
        self.account = std::mem::take(&mut self.account).with_balance(statement.carried_forward());
        Ok(statement)
    }

    /// Returns the price book with this digest.
    fn book(&self, digest: PriceBookDigest, rules: &MeterRules) -> Result<PriceBook, CloseError> {
        let books = self.books.iter().chain([rules.price_book.as_ref()]);
        books
            .into_iter()
            .find(|book| book.digest() == digest)
            .cloned()
            .ok_or(CloseError::BookMissing(digest))
    }
}

/// Returns the adjustments of an invoice, with its number.
fn on_invoice(invoice: &Invoice) -> impl Iterator<Item = Adjustment> {
    let number = Some(invoice.id.number);
    invoice
        .statement
        .adjustments
        .iter()
        .map(move |adjustment| Adjustment {
            invoice: number,
            ..adjustment.clone()
        })
}

impl PeriodUsage {
    fn current_period(meter: &MeterState, period: Period) -> Self {
        Self {
            period,
            first: meter.period_first_seq,
            last: meter.seq,
            head: meter.head,
            billable: meter.billable,
            paid: meter.charged,
        }
    }
}

impl From<&EndedPeriod> for PeriodUsage {
    fn from(ended: &EndedPeriod) -> Self {
        let EndedPeriod {
            period,
            first_seq: first,
            last_seq: last,
            head,
            billable,
            charged: paid,
            ..
        } = *ended;
        Self {
            period,
            first,
            last,
            head,
            billable,
            paid,
        }
    }
}
