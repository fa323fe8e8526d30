//! Invoices and drafts.

use super::error::{not_found, parsed};
use super::query::{ClientQuery, DraftQuery, FormatQuery};
use super::resolve::clients_of;
use super::routes::Routes;
use crate::api::InvoicePage;
use crate::envelope::success;
use crate::error::ApiError;
use crate::extract::{Json, Query};
use crate::operator::Caller;
use crate::state::AppState;
use actix_web::http::header;
use actix_web::{HttpResponse, web};
use askama::Template as _;
use serde::Serialize;
use voight_api::admin::{self, DraftInvoice, Invoice, InvoiceView, routes};
use voight_domain::invoicing::{InvoiceChange, InvoiceId};

pub(super) fn configure(routes: &mut Routes) {
    routes
        .add(&routes::LIST_INVOICES, list)
        .add(&routes::PREVIEW_INVOICE, preview)
        .add(&routes::CLOSE_PERIODS, close)
        .add(&routes::SHOW_INVOICE, show)
        .add(&routes::PAY_INVOICE, pay)
        .add(&routes::VOID_INVOICE, void)
        .add(&routes::WRITE_OFF_INVOICE, write_off);
}

/// Finds the invoice that `text` names: by invoice id, or with the client name in place of the client id. An id has priority.
async fn invoice_id(state: &AppState, text: &str) -> Result<InvoiceId, ApiError> {
    if let Ok(id) = text.parse() {
        return Ok(id);
    }
    let Some((client, number)) = named(text) else {
        let description = format!(
            "invoice {text:?}; a draft has no id yet, and an invoice is named <client>-<number>"
        );
        return Err(not_found(&description));
    };
    let client = state.services.registry.find_client(client).await?.id;
    Ok(InvoiceId { client, number })
}

/// Splits `text` into a client name and an invoice number, which has neither a sign nor leading zeros.
fn named(text: &str) -> Option<(&str, u32)> {
    let (client, digits) = text.rsplit_once('-')?;
    let number = digits
        .parse()
        .ok()
        .filter(|number: &u32| *number > 0 && number.to_string() == digits)?;
    Some((client, number))
}

/// `GET /admin/v1/invoices`: the invoices of one client or of all, ordered by client and number.
async fn list(
    query: Query<ClientQuery>,
    state: web::Data<AppState>,
) -> Result<HttpResponse, ApiError> {
    let mut summaries = Vec::new();
    for client in clients_of(&state, query.client.as_deref()).await? {
        let invoices = state.services.billing.all_invoices(client.id).await?;
        summaries.extend(invoices.iter().map(admin::InvoiceSummary::from));
    }
    Ok(success(&summaries))
}

/// `GET /admin/v1/invoices/{invoice}`: one invoice, as JSON in the envelope or as a page.
async fn show(
    invoice: web::Path<String>,
    query: Query<FormatQuery>,
    state: web::Data<AppState>,
) -> Result<HttpResponse, ApiError> {
    let format = InvoiceFormat::from_name(query.format.as_deref())?;
    let invoice = state
        .services
        .billing
        .invoice(invoice_id(&state, &invoice).await?)
        .await?;
    format.render(&Invoice::from(&invoice), &(&invoice).into())
}

/// `GET /admin/v1/invoices/preview`: the draft invoice of a client's period that has no invoice yet, in the same formats.
async fn preview(
    query: Query<DraftQuery>,
    state: web::Data<AppState>,
) -> Result<HttpResponse, ApiError> {
    let format = InvoiceFormat::from_name(query.format.as_deref())?;
    let month = query
        .period
        .as_deref()
        .map(|text| parsed("period", text))
        .transpose()?;
    let client = state.services.registry.find_client(&query.client).await?;
    let draft = DraftInvoice::new(
        &client,
        &state
            .services
            .billing
            .preview(&client, month)
            .await?
            .statement,
    );
    format.render(&draft, &(&draft).into())
}

/// Format of an invoice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum InvoiceFormat {
    /// JSON in the envelope.
    Json,
    /// HTML page for printing.
    Html,
}

impl InvoiceFormat {
    /// Parses the name of a format; the default is JSON.
    fn from_name(name: Option<&str>) -> Result<Self, ApiError> {
        match name {
            None | Some("json") => Ok(Self::Json),
            Some("html") => Ok(Self::Html),
            Some(_) => Err(ApiError::invalid(
                "format is json or html; the default is json.",
            )),
        }
    }

    fn render<T: Serialize>(
        self,
        json: &T,
        invoice: &InvoiceView,
    ) -> Result<HttpResponse, ApiError> {
        Ok(match self {
            Self::Json => success(json),
            Self::Html => HttpResponse::Ok()
                .content_type("text/html; charset=utf-8")
                .insert_header((header::X_CONTENT_TYPE_OPTIONS, "nosniff"))
                .body(InvoicePage { invoice }.render()?),
        })
    }
}

/// `POST /admin/v1/invoices/close`: issues invoices for all completed periods that have none.
async fn close(
    Json(body): Json<admin::CloseRequest>,
    caller: Caller,
    state: web::Data<AppState>,
) -> Result<HttpResponse, ApiError> {
    state.require_trusted_clock().await?;
    let month = body
        .period
        .as_deref()
        .map(|text| parsed("period", text))
        .transpose()?;
    let mut summaries = Vec::new();
    // Clients are closed independently: after an error, issued invoices remain, and a repeated call continues with the others.
    for client in clients_of(&state, body.client.as_deref()).await? {
        let invoices = state
            .services
            .billing
            .acting_as(&caller.actor)
            .close(&client, month)
            .await?;
        summaries.extend(invoices.iter().map(admin::InvoiceSummary::from));
    }
    Ok(success(&summaries))
}

/// `POST /admin/v1/invoices/{invoice}/pay`: marks an open invoice as paid.
async fn pay(
    invoice: web::Path<String>,
    caller: Caller,
    state: web::Data<AppState>,
) -> Result<HttpResponse, ApiError> {
    change(&invoice, InvoiceChange::Pay, &caller, &state).await
}

/// `POST /admin/v1/invoices/{invoice}/void`: voids an open invoice.
async fn void(
    invoice: web::Path<String>,
    Json(body): Json<admin::VoidRequest>,
    caller: Caller,
    state: web::Data<AppState>,
) -> Result<HttpResponse, ApiError> {
    change(
        &invoice,
        InvoiceChange::Void {
            reason: body.reason,
        },
        &caller,
        &state,
    )
    .await
}

/// `POST /admin/v1/invoices/{invoice}/write-off`: writes off an open invoice.
async fn write_off(
    invoice: web::Path<String>,
    caller: Caller,
    state: web::Data<AppState>,
) -> Result<HttpResponse, ApiError> {
    change(&invoice, InvoiceChange::WriteOff, &caller, &state).await
}

async fn change(
    invoice: &str,
    change: InvoiceChange,
    caller: &Caller,
    state: &AppState,
) -> Result<HttpResponse, ApiError> {
    let id = invoice_id(state, invoice).await?;
    let invoice = state
        .services
        .billing
        .acting_as(&caller.actor)
        .change_invoice(id, change)
        .await?;
    Ok(success(&Invoice::from(&invoice)))
}

#[cfg(test)]
mod tests {
    use super::named;

    #[test]
    fn name_may_have_dashes_and_spaces() {
        assert_eq!(
            named("Quest Labs - west-12"),
            Some(("Quest Labs - west", 12))
        );
        for text in [
            "acme",
            "acme-",
            "acme-0",
            "acme-01",
            "acme-+1",
            "acme-x",
            "acme-4294967296",
        ] {
            assert_eq!(named(text), None, "{text}");
        }
    }
}
