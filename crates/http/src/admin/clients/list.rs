//! `GET /admin/v1/clients`: all clients, in the order of their creation.

use crate::envelope::success;
use crate::error::ApiError;
use crate::extract::{NoQuery, Query};
use crate::state::AppState;
use actix_web::{HttpResponse, web};
use voight_api::admin;

pub(super) async fn list(
    _: Query<NoQuery>,
    state: web::Data<AppState>,
) -> Result<HttpResponse, ApiError> {
    let clients = state.services.registrar.all_clients().await?;
    let client_views: Vec<_> = clients.iter().map(admin::Client::from).collect();
    Ok(success(&client_views))
}
