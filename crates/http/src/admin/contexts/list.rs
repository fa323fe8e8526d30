//! `GET /admin/v1/contexts`: the contexts of a client, or all.

use crate::admin::dto;
use crate::admin::pages::contexts;
use crate::admin::query::ClientQuery;
use crate::envelope::success;
use crate::error::ApiError;
use crate::extract::Query;
use crate::state::AppState;
use actix_web::{HttpResponse, web};
use voight_domain::ports::ContextFilter;

pub(super) async fn list(query: Query<ClientQuery>, state: web::Data<AppState>) -> Result<HttpResponse, ApiError> {
    let filter = match query.client.as_deref() {
        Some(name_or_id) => ContextFilter::Client(state.services.registrar.find_client(name_or_id).await?.id),
        None => ContextFilter::All,
    };
    let shown: Vec<_> = contexts(&state, filter).await?.iter().map(dto::Context::from).collect();
    Ok(success(false, &shown))
}
