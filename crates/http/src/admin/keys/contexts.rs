//! `GET /admin/v1/keys/{key}/contexts`: the contexts that a revocation of the key affects.

use crate::admin::resolve::key_id;
use crate::envelope::success;
use crate::error::ApiError;
use crate::extract::{NoQuery, Query};
use crate::state::AppState;
use actix_web::{HttpResponse, web};
use voight_api::admin;

pub(super) async fn list(
    key: web::Path<String>,
    _: Query<NoQuery>,
    state: web::Data<AppState>,
) -> Result<HttpResponse, ApiError> {
    let key = key_id(&state, &key).await?;
    let at_stake = state.services.registrar.contexts_at_stake(key).await?;
    Ok(success(&admin::KeyContexts::new(key, &at_stake)))
}
