//! `POST /admin/v1/clients/{client}/close`: closes a client permanently and issues its last invoice.

use crate::admin::caller::Caller;
use crate::envelope::success;
use crate::error::ApiError;
use crate::state::AppState;
use actix_web::{HttpResponse, web};
use voight_api::admin;

pub(super) async fn close(
    client: web::Path<String>,
    caller: Caller,
    state: web::Data<AppState>,
) -> Result<HttpResponse, ApiError> {
    state.require_trusted_clock().await?;
    let registrar = &state.services.registrar;
    let open = registrar.find_client(&client).await?;
    let final_invoices = state
        .services
        .billing
        .acting_as(&caller.actor)
        .close_client(&open)
        .await?;
    let closed_client = registrar.find_client(&open.id.to_string()).await?;
    let invoices = final_invoices
        .iter()
        .map(admin::InvoiceSummary::from)
        .collect();
    Ok(success(&admin::ClosedClient {
        client: (&closed_client).into(),
        invoices,
    }))
}
