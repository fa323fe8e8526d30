//! `GET /admin/v1/usage`: lookups of the current period, for each client.

use super::dto;
use super::pages::clients_of;
use super::query::ClientQuery;
use crate::envelope::success;
use crate::error::ApiError;
use crate::extract::Query;
use crate::state::AppState;
use actix_web::{HttpResponse, web};

pub(super) async fn show(query: Query<ClientQuery>, state: web::Data<AppState>) -> Result<HttpResponse, ApiError> {
    let mut clients = Vec::new();
    for client in clients_of(&state, query.client.as_deref()).await? {
        let line = state.services.operator.usage(client).await?;
        clients.push(dto::UsageLine::from(&line));
    }
    Ok(success(false, &dto::Usage { clients }))
}
