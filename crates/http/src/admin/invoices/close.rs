//! `POST /admin/v1/invoices/close`: issues invoices for all completed periods that have none.

use crate::admin::caller::Caller;
use crate::admin::error::parsed;
use crate::admin::resolve::clients_of;
use crate::envelope::success;
use crate::error::ApiError;
use crate::extract::Json;
use crate::state::AppState;
use actix_web::{HttpResponse, web};
use voight_api::admin;

pub(super) async fn close(
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
