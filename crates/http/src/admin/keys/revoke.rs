//! `POST /admin/v1/keys/{key}/revoke`: no secret of the key opens anything from now on.

use super::key_id;
use crate::admin::dto;
use crate::envelope::success;
use crate::error::ApiError;
use crate::state::AppState;
use actix_web::{HttpResponse, web};

pub(super) async fn revoke(key: web::Path<String>, state: web::Data<AppState>) -> Result<HttpResponse, ApiError> {
    let key = state.services.registrar.revoke_key(key_id(&key)?).await?;
    Ok(success(false, &dto::Key::from(&key)))
}
