//! `POST /admin/v1/keys/{key}/rotate`: issues a new secret of an API key. Only this response contains it.

use crate::admin::caller::Caller;
use crate::admin::resolve::key_id;
use crate::envelope::success;
use crate::error::ApiError;
use crate::extract::Json;
use crate::state::AppState;
use actix_web::{HttpResponse, web};
use std::time::Duration;
use voight_api::admin;
use voight_domain::registry::DEFAULT_ROTATION_OVERLAP;

pub(super) async fn rotate(
    key: web::Path<String>,
    Json(body): Json<admin::KeyRotation>,
    caller: Caller,
    state: web::Data<AppState>,
) -> Result<HttpResponse, ApiError> {
    let key = key_id(&state, &key).await?;
    let overlap = body
        .overlap_seconds
        .map_or(DEFAULT_ROTATION_OVERLAP, Duration::from_secs);
    let issued_key = state
        .services
        .registrar
        .acting_as(&caller.actor)
        .rotate_key(key, overlap, body.reason.as_deref())
        .await?;
    Ok(success(&admin::IssuedKey::from(&issued_key)))
}
