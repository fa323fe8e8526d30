//! Usage of each client in the current period, and the invoices.

use crate::error::ConsoleError;
use crate::format::{State, Time, count_text, day_text};
use crate::page::Page;
use crate::response::show as show_page;
use crate::visit::Visit;
use actix_web::HttpResponse;
use askama::Template;
use std::cmp::Reverse;
use voight_domain::invoicing::{Invoice, InvoiceState};
use voight_domain::services::ClientUsage;

/// Invoices that the page shows.
const MAX_INVOICES: usize = 100;

#[derive(Template)]
#[template(path = "usage.html")]
struct UsagePage {
    page: Page,
    clients: Vec<ClientRow>,
    invoices: Vec<InvoiceRow>,
    open_count: usize,
}

/// Row of a client.
struct ClientRow {
    id: String,
    name: String,
    billable: String,
    free_left: String,
    paid: String,
    spent: String,
    budget: String,
}

/// Row of an invoice.
struct InvoiceRow {
    id: String,
    client: String,
    period: String,
    total: String,
    state: State,
    issued_at: Time,
}

/// `GET /console/usage`: usage and invoices of all clients.
pub(crate) async fn show(visit: Visit) -> Result<HttpResponse, ConsoleError> {
    let services = visit.services();
    let mut clients = Vec::new();
    let mut invoices = Vec::new();
    for client in services.registry.all_clients().await? {
        invoices.extend(services.billing.all_invoices(client.id).await?);
        let usage = services.operator.usage(client).await?;
        clients.push(ClientRow::from(&usage));
    }
    invoices.sort_by_key(|invoice| Reverse(invoice.issued_at));
    let is_open = |invoice: &&Invoice| invoice.state == InvoiceState::Open;
    let open_count = invoices.iter().filter(is_open).count();
    let rows = invoices.iter().take(MAX_INVOICES);
    Ok(show_page(&UsagePage {
        page: Page::new(&visit, "Usage and invoices"),
        clients,
        invoices: rows
            .map(|invoice| InvoiceRow::new(&visit, invoice))
            .collect(),
        open_count,
    }))
}

/// Returns the state of an invoice.
pub(crate) const fn state(invoice: &Invoice) -> State {
    match invoice.state {
        InvoiceState::Open => State::uncertain("Issued"),
        InvoiceState::Paid(_) => State::good("Paid"),
        InvoiceState::Void { .. } => State::neutral("Void"),
        InvoiceState::Uncollectible(_) => State::bad("Written off"),
    }
}

/// Returns the days of the period of an invoice.
pub(crate) fn period(invoice: &Invoice) -> String {
    let period = &invoice.statement.period;
    let last_day = period.end.day() - 1;
    format!("{} to {}", day_text(period.start.day()), day_text(last_day))
}

impl From<&ClientUsage> for ClientRow {
    fn from(usage: &ClientUsage) -> Self {
        let budget = usage.budget.as_ref().map(ToString::to_string);
        Self {
            id: usage.client.id.to_string(),
            name: usage.client.name.to_string(),
            billable: count_text(usage.billable),
            free_left: count_text(usage.allowance_left),
            paid: count_text(usage.paid),
            spent: usage.spent.to_string(),
            budget: budget.unwrap_or_else(|| "–".to_owned()),
        }
    }
}

impl InvoiceRow {
    fn new(visit: &Visit, invoice: &Invoice) -> Self {
        Self {
            id: invoice.id.to_string(),
            client: invoice.name.to_string(),
            period: period(invoice),
            total: invoice.statement.total.to_string(),
            state: state(invoice),
            issued_at: Time::new(invoice.issued_at, visit.now),
        }
    }
}
