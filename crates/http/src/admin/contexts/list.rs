//! `GET /admin/v1/contexts`: the contexts of a client, of a key, or all.

use crate::admin::query::ContextQuery;
use crate::admin::resolve::key_id;
use crate::envelope::success;
use crate::error::ApiError;
use crate::extract::Query;
use crate::state::AppState;
use actix_web::{HttpResponse, web};
use voight_api::admin;
use voight_domain::ports::ContextFilter;

pub(super) async fn list(
    query: Query<ContextQuery>,
    state: web::Data<AppState>,
) -> Result<HttpResponse, ApiError> {
    let filter = filter(&query, &state).await?;
    let context_views: Vec<_> = state
        .services
        .registrar
        .all_contexts(filter)
        .await?
        .iter()
        .map(admin::Context::from)
        .collect();
    Ok(success(&context_views))
}

async fn filter(query: &ContextQuery, state: &AppState) -> Result<ContextFilter, ApiError> {
    let registrar = &state.services.registrar;
    match (query.client.as_deref(), query.key.as_deref()) {
        (None, None) => Ok(ContextFilter::All),
        (Some(name_or_id), None) => Ok(ContextFilter::Client(
            registrar.find_client(name_or_id).await?.id,
        )),
        (None, Some(key)) => Ok(ContextFilter::Key(key_id(state, key).await?)),
        (Some(_), Some(_)) => Err(ApiError::invalid(
            "client and key are two ways to narrow the list; give one of them.",
        )),
    }
}
