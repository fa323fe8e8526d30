//! `GET /api/v1/invoices/{id}`: returns one invoice of the calling key's client.

use crate::envelope::success_in;
use crate::error::ApiError;
use crate::extract::{Authorized, NoQuery, Query, RequestInput, UsageAccess};
use crate::state::AppState;
use actix_web::dev::Payload;
use actix_web::{HttpRequest, HttpResponse, web};
use voight_api::ErrorId;
use voight_api::admin::Invoice;
use voight_domain::invoicing::InvoiceId;
use voight_domain::services::ServiceError;

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

/// Returns the invoice. The error of another client's invoice is that of one that does not exist.
pub(super) async fn handle(
    state: web::Data<AppState>,
    Authorized {
        caller,
        input: InvoiceInput(id),
        ..
    }: Authorized<UsageAccess, InvoiceInput>,
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
