//! `GET /admin/v1/invoices`: the invoices of one client or of all, ordered by client and number.

use crate::admin::query::ClientQuery;
use crate::admin::resolve::clients_of;
use crate::envelope::success;
use crate::error::ApiError;
use crate::extract::Query;
use crate::state::AppState;
use actix_web::{HttpResponse, web};
use voight_api::admin;

pub(super) async fn list(
    query: Query<ClientQuery>,
    state: web::Data<AppState>,
) -> Result<HttpResponse, ApiError> {
    let mut summaries = Vec::new();
    for client in clients_of(&state, query.client.as_deref()).await? {
        let invoices = state.services.billing.all_invoices(client.id).await?;
        summaries.extend(invoices.iter().map(admin::InvoiceSummary::from));
    }
    Ok(success(&summaries))
}
