//! Invoices of the calling key's client.

use crate::envelope::{success, success_in};
use crate::error::ApiError;
use crate::extract::{Authorized, NoQuery, Query, RequestInput, UsageAccess, number, page_limit};
use crate::state::AppState;
use actix_web::dev::Payload;
use actix_web::{HttpRequest, HttpResponse, web};
use askama::Template;
use serde::Deserialize;
use voight_api::ErrorId;
use voight_api::admin::{Invoice, InvoiceView};
use voight_api::public::InvoicesOfClient;
use voight_api::public::routes::INVOICE_PAGE;
use voight_domain::invoicing::InvoiceId;
use voight_domain::services::ServiceError;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct PageQuery {
    after: Option<String>,
    limit: Option<String>,
}

/// Parsed page request.
pub(crate) struct PageInput {
    after: u32,
    limit: usize,
}

impl RequestInput for PageInput {
    async fn read(request: &HttpRequest, _: Payload) -> Result<Self, ApiError> {
        let Query(query) = Query::<PageQuery>::parse(request)?;
        let cursor = number(query.after.as_deref(), 0).ok_or_else(|| {
            ApiError::invalid("after is the number of an invoice, as the member next of the page before names it.")
        })?;
        Ok(Self {
            after: cursor,
            limit: page_limit(query.limit.as_deref(), INVOICE_PAGE)?,
        })
    }
}

/// `GET /api/v1/invoices`: lists the invoices of the calling key's client, in pages.
pub(super) async fn list(
    state: web::Data<AppState>,
    Authorized {
        caller,
        input: PageInput { after, limit },
        ..
    }: Authorized<'_, UsageAccess, PageInput>,
) -> Result<HttpResponse, ApiError> {
    // Sandbox lookups are never billed.
    if caller.environment().is_test() {
        return Ok(success_in(
            caller.environment(),
            &InvoicesOfClient {
                invoices: Vec::new(),
                next: None,
            },
        ));
    }
    let mut invoices = state
        .services
        .billing
        .invoices(caller.api_key.client.id, after, limit + 1)
        .await?;
    let more = invoices.len() > limit;
    invoices.truncate(limit);
    let next = invoices
        .last()
        .filter(|_| more)
        .map(|invoice| invoice.id.number);
    let invoices = invoices.iter().map(Invoice::from).collect();
    Ok(success(&InvoicesOfClient { invoices, next }))
}

/// Requested invoice; `None` if the text is not an invoice id.
pub(crate) struct InvoiceInput(Option<InvoiceId>);

impl RequestInput for InvoiceInput {
    async fn read(request: &HttpRequest, _: Payload) -> Result<Self, ApiError> {
        Query::<NoQuery>::parse(request)?;
        Ok(Self(
            request
                .match_info()
                .get("id")
                .and_then(|id| id.parse().ok()),
        ))
    }
}

/// `GET /api/v1/invoices/{id}`: returns one invoice of the calling key's client.
///
/// The error of another client's invoice is that of one that does not exist.
pub(super) async fn show(
    state: web::Data<AppState>,
    Authorized {
        caller,
        input: InvoiceInput(id),
        ..
    }: Authorized<'_, UsageAccess, InvoiceInput>,
) -> Result<HttpResponse, ApiError> {
    // Sandbox lookups are never billed.
    let invoice_id = id
        .filter(|id| id.client == caller.api_key.client.id && !caller.environment().is_test())
        .ok_or(ErrorId::NotFound)?;
    match state.services.billing.invoice(invoice_id).await {
        Ok(invoice) => Ok(success_in(caller.environment(), &Invoice::from(&invoice))),
        Err(ServiceError::Store(error)) => Err(error.into()),
        Err(_) => Err(ErrorId::NotFound.into()),
    }
}

/// Page of an invoice or a draft invoice.
#[derive(Template)]
#[template(path = "invoice.html")]
pub(crate) struct InvoicePage<'a> {
    /// Invoice that the page shows.
    pub(crate) invoice: &'a InvoiceView,
}
