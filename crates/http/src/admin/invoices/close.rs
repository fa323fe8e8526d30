//! `POST /admin/v1/invoices/close`: issues an invoice for every period that is over and on none.

use crate::admin::caller::Caller;
use crate::admin::error::parsed;
use crate::admin::{dto, pages};
use crate::envelope::success;
use crate::error::ApiError;
use crate::extract::Json;
use crate::state::AppState;
use actix_web::{HttpResponse, web};

pub(super) async fn close(
    Json(body): Json<dto::CloseRequest>,
    caller: Caller,
    state: web::Data<AppState>,
) -> Result<HttpResponse, ApiError> {
    state.require_trusted_clock().await?;
    let month = body.period.as_deref().map(|text| parsed("period", text)).transpose()?;
    let mut issued = Vec::new();
    // Each client by itself: what was issued stays, and closing again goes on with the others.
    for client in pages::clients_of(&state, body.client.as_deref()).await? {
        let invoices = state.services.billing.acting_as(&caller.actor).close(&client, month).await?;
        issued.extend(invoices.iter().map(dto::InvoiceSummary::from));
    }
    Ok(success(false, &issued))
}
