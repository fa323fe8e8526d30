//! `GET /admin/v1/invoices/{invoice}`: one invoice.

use super::format::{InvoiceFormat, render};
use super::invoice_id;
use crate::admin::query::FormatQuery;
use crate::error::ApiError;
use crate::extract::Query;
use crate::state::AppState;
use actix_web::{HttpResponse, web};
use voight_api::admin;

pub(super) async fn show(
    invoice: web::Path<String>,
    query: Query<FormatQuery>,
    state: web::Data<AppState>,
) -> Result<HttpResponse, ApiError> {
    let format = InvoiceFormat::from_name(query.format.as_deref())?;
    let invoice = state.services.billing.invoice(invoice_id(&state, &invoice).await?).await?;
    render(&admin::Invoice::from(&invoice), format)
}
