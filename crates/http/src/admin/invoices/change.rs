//! `POST /admin/v1/invoices/{invoice}/pay`, `/void` and `/write-off`: what has become of an open invoice.

use super::invoice_id;
use crate::admin::dto;
use crate::envelope::success;
use crate::error::ApiError;
use crate::extract::Json;
use crate::state::AppState;
use actix_web::{HttpResponse, web};
use voight_domain::invoicing::InvoiceChange;

pub(super) async fn pay(invoice: web::Path<String>, state: web::Data<AppState>) -> Result<HttpResponse, ApiError> {
    change(&invoice, InvoiceChange::Pay, &state).await
}

pub(super) async fn void(
    invoice: web::Path<String>,
    Json(body): Json<dto::VoidRequest>,
    state: web::Data<AppState>,
) -> Result<HttpResponse, ApiError> {
    change(&invoice, InvoiceChange::Void { reason: body.reason }, &state).await
}

pub(super) async fn write_off(
    invoice: web::Path<String>,
    state: web::Data<AppState>,
) -> Result<HttpResponse, ApiError> {
    change(&invoice, InvoiceChange::WriteOff, &state).await
}

async fn change(invoice: &str, change: InvoiceChange, state: &AppState) -> Result<HttpResponse, ApiError> {
    let id = invoice_id(state, invoice).await?;
    let changed = state.services.billing.change_invoice(id, change).await?;
    Ok(success(false, &dto::Invoice::from(&changed)))
}
