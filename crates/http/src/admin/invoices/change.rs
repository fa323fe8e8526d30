//! `POST /admin/v1/invoices/{invoice}/pay`, `/void` and `/write-off`: changes the state of an open invoice.

use super::invoice_id;
use crate::admin::caller::Caller;
use crate::envelope::success;
use crate::error::ApiError;
use crate::extract::Json;
use crate::state::AppState;
use actix_web::{HttpResponse, web};
use voight_api::admin;
use voight_domain::invoicing::InvoiceChange;

pub(super) async fn pay(
    invoice: web::Path<String>,
    caller: Caller,
    state: web::Data<AppState>,
) -> Result<HttpResponse, ApiError> {
    change(&invoice, InvoiceChange::Pay, &caller, &state).await
}

pub(super) async fn void(
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

pub(super) async fn write_off(
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
    Ok(success(&admin::Invoice::from(&invoice)))
}
