//! `GET /api/v1/invoices/{id}`: returns one invoice of the calling key's client.

use crate::envelope::success;
use crate::error::ApiError;
use crate::extract::{Authorized, NoQuery, Query, RequestInput, UsageAccess};
use crate::state::AppState;
use actix_web::dev::Payload;
use actix_web::{HttpRequest, HttpResponse, web};
use serde_json::json;
use voight_api::ErrorId;
use voight_api::admin::Invoice;
use voight_api::openapi::{Operation, ResponseBody};
use voight_domain::invoicing::InvoiceId;

/// Path of the endpoint.
pub(super) const PATH: &str = "/api/v1/invoices/{id}";

/// Requested invoice; `None` if the text is not an invoice id.
pub(crate) struct InvoiceInput(Option<InvoiceId>);

impl RequestInput for InvoiceInput {
    async fn read(request: &HttpRequest, _: Payload) -> Result<Self, ApiError> {
        Query::<NoQuery>::parse(request)?;
        Ok(Self(request.match_info().get("id").and_then(|id| id.parse().ok())))
    }
}

/// Returns the invoice. The error of another client's invoice is that of one that does not exist.
pub(super) async fn handle(
    state: web::Data<AppState>,
    Authorized { caller, input: InvoiceInput(id), .. }: Authorized<UsageAccess, InvoiceInput>,
) -> Result<HttpResponse, ApiError> {
    // Sandbox lookups are never billed.
    let own = id.filter(|id| id.client == caller.holder.client.id && !caller.is_test()).ok_or(ErrorId::NotFound)?;
    let invoice = state.services.store.invoice(own).await?.ok_or(ErrorId::NotFound)?;
    Ok(success(caller.is_test(), &Invoice::from(&invoice)))
}

pub(super) fn operation() -> Operation {
    Operation {
        method: "get",
        path: PATH,
        id: "getInvoice",
        summary: "One of the client's invoices",
        description: "As it was issued; only its state changes. A sandbox key has none. The read itself is never billed. Needs the \
            scope usage:read.",
        needs_key: true,
        parameters: vec![json!({
            "name": "id",
            "in": "path",
            "required": true,
            "description": "The id of an invoice of this client.",
            "schema": { "type": "string", "pattern": "^[0-7][0-9a-hjkmnp-tv-z]{25}-[1-9][0-9]{0,8}$" },
        })],
        request: None,
        answer: ResponseBody::Enveloped("Invoice"),
        headers: &[],
        errors: &[ErrorId::InvalidRequest, ErrorId::NotFound],
    }
}
