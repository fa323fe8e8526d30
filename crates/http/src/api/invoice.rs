//! `GET /api/v1/invoices/{id}`: one invoice of the calling key's client.

use crate::admin::dto::Invoice;
use crate::envelope::success;
use crate::error::ApiError;
use crate::error_table::ErrorId;
use crate::extract::{Authorized, NoQuery, Query, RequestInput, UsageAccess};
use crate::openapi::{Operation, ResponseBody};
use crate::state::AppState;
use actix_web::dev::Payload;
use actix_web::{HttpRequest, HttpResponse, web};
use serde_json::json;
use voight_domain::invoicing::InvoiceId;

/// Where the endpoint is mounted.
pub(super) const PATH: &str = "/api/v1/invoices/{id}";

/// The invoice that is asked for; `None` if no invoice is named so.
pub(crate) struct InvoiceInput(Option<InvoiceId>);

impl RequestInput for InvoiceInput {
    async fn read(request: &HttpRequest, _: Payload) -> Result<Self, ApiError> {
        Query::<NoQuery>::parse(request)?;
        Ok(Self(request.match_info().get("id").and_then(|id| id.parse().ok())))
    }
}

/// An invoice of another client is refused exactly as one that does not exist.
pub(super) async fn handle(
    state: web::Data<AppState>,
    Authorized { caller, input: InvoiceInput(id), .. }: Authorized<UsageAccess, InvoiceInput>,
) -> Result<HttpResponse, ApiError> {
    // A sandbox is never billed.
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
