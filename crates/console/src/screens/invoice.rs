//! Page of an invoice: lines, total and the changes of its state.

use super::usage::{period, state};
use crate::error::ConsoleError;
use crate::form::Form;
use crate::format::{State, Time, count_text};
use crate::page::Page;
use crate::response::{redirect_done, show as show_page, show_again};
use crate::visit::Visit;
use actix_web::HttpResponse;
use actix_web::web::Path;
use askama::Template;
use serde::Deserialize;
use voight_domain::billing::{ChargeKind, ChargeLine};
use voight_domain::invoicing::{Invoice, InvoiceChange, InvoiceId, InvoiceState};
use voight_domain::registry::Permission;

#[derive(Template)]
#[template(path = "invoice.html")]
struct InvoicePage {
    page: Page,
    id: String,
    client_id: String,
    client: String,
    state: State,
    is_open: bool,
    can_bill: bool,
    issued_at: Time,
    period: String,
    billable: String,
    free: String,
    lines: Vec<(String, String)>,
    total: String,
    head: String,
    reason: String,
}

/// Fields of the form of a change.
#[derive(Deserialize)]
pub(crate) struct ChangeFields {
    #[serde(default)]
    reason: String,
}

/// `GET /console/invoices/{invoice}`: an invoice.
pub(crate) async fn show(visit: Visit, id: Path<String>) -> Result<HttpResponse, ConsoleError> {
    let invoice = find(&visit, &id).await?;
    let page = page(&visit, &invoice);
    Ok(show_page(&InvoicePage::new(&visit, page, &invoice)))
}

/// `POST /console/invoices/{invoice}/pay`: marks an invoice as paid.
pub(crate) async fn pay(
    id: Path<String>,
    form: Form<ChangeFields>,
) -> Result<HttpResponse, ConsoleError> {
    change(&form.visit, &id, InvoiceChange::Pay, "invoice_paid").await
}

/// `POST /console/invoices/{invoice}/void`: voids an invoice.
pub(crate) async fn void(
    id: Path<String>,
    form: Form<ChangeFields>,
) -> Result<HttpResponse, ConsoleError> {
    let reason = form.fields.reason.trim().to_owned();
    change(
        &form.visit,
        &id,
        InvoiceChange::Void { reason },
        "invoice_voided",
    )
    .await
}

async fn change(
    visit: &Visit,
    id: &str,
    change: InvoiceChange,
    done: &str,
) -> Result<HttpResponse, ConsoleError> {
    let invoice = find(visit, id).await?;
    let billing = visit.services().billing.acting_as(&visit.actor());
    match billing
        .change_invoice(invoice.id, change)
        .await
        .map_err(ConsoleError::from)
    {
        Ok(_) => {
            let path = format!("{}/invoices/{}", crate::PREFIX, invoice.id);
            Ok(redirect_done(&path, done))
        }
        Err(error) => {
            let problem = error.into_correction()?;
            let page = page(visit, &invoice).with_error(&problem);
            Ok(show_again(&InvoicePage::new(visit, page, &invoice)))
        }
    }
}

fn page(visit: &Visit, invoice: &Invoice) -> Page {
    Page::new(visit, format!("Invoice {}", invoice.id.number))
}

async fn find(visit: &Visit, id: &str) -> Result<Invoice, ConsoleError> {
    let id: InvoiceId = id
        .parse()
        .map_err(|_| ConsoleError::not_found("invoice with this id"))?;
    Ok(visit.services().billing.invoice(id).await?)
}

impl InvoicePage {
    fn new(visit: &Visit, page: Page, invoice: &Invoice) -> Self {
        let statement = &invoice.statement;
        let mut lines: Vec<_> = statement.lines.iter().map(charge).collect();
        lines.extend(
            statement
                .adjustments
                .iter()
                .map(|adjustment| (adjustment.reason.clone(), adjustment.amount.to_string())),
        );
        Self {
            page,
            id: invoice.id.to_string(),
            client_id: invoice.id.client.to_string(),
            client: invoice.name.to_string(),
            state: state(invoice),
            is_open: invoice.state == InvoiceState::Open,
            can_bill: visit.allows(Permission::Bill),
            issued_at: Time::new(invoice.issued_at, visit.now),
            period: period(invoice),
            billable: count_text(statement.billable),
            free: count_text(statement.billable.saturating_sub(statement.charged)),
            lines,
            total: statement.total.to_string(),
            head: statement.head.to_string(),
            reason: match &invoice.state {
                InvoiceState::Void { reason, .. } => reason.clone(),
                _ => String::new(),
            },
        }
    }
}

/// Returns the text and the amount of a charge.
fn charge(line: &ChargeLine) -> (String, String) {
    let text = match line.kind {
        ChargeKind::Lookups {
            first,
            last,
            unit_price,
        } => format!(
            "Tier {}: lookups {} to {}, {unit_price} each",
            line.tier,
            count_text(first),
            count_text(last)
        ),
        ChargeKind::FlatFee => format!("Tier {}: flat fee", line.tier),
    };
    (text, line.amount.to_string())
}
