//! `GET /admin/v1/invoices/preview`: the draft invoice of a client's period that has no invoice yet.

use super::format::{InvoiceFormat, render};
use crate::admin::error::parsed;
use crate::admin::query::DraftQuery;
use crate::error::ApiError;
use crate::extract::Query;
use crate::state::AppState;
use actix_web::{HttpResponse, web};
use voight_api::admin;

pub(super) async fn show(query: Query<DraftQuery>, state: web::Data<AppState>) -> Result<HttpResponse, ApiError> {
    let format = InvoiceFormat::from_name(query.format.as_deref())?;
    let month = query.period.as_deref().map(|text| parsed("period", text)).transpose()?;
    let client = state.services.registrar.find_client(&query.client).await?;
    let draft = state.services.billing.preview(&client, month).await?;
    render(&admin::Invoice::draft(&client, &draft.statement), format)
}
