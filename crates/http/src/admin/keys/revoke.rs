//! `POST /admin/v1/keys/{key}/revoke`: no secret of the key opens anything from now on.

use super::key_id;
use crate::admin::caller::Caller;
use crate::admin::dto;
use crate::envelope::success;
use crate::error::ApiError;
use crate::extract::OptionalJson;
use crate::state::AppState;
use actix_web::{HttpResponse, web};
use voight_domain::services::Revocation;

pub(super) async fn revoke(
    key: web::Path<String>,
    OptionalJson(body): OptionalJson<dto::KeyRevocation>,
    caller: Caller,
    state: web::Data<AppState>,
) -> Result<HttpResponse, ApiError> {
    let move_contexts_to = body.move_contexts_to.as_deref().map(key_id).transpose()?;
    let revocation = Revocation { move_contexts_to, reason: body.reason };
    let (key, moved) = state.services.registrar.acting_as(&caller.actor).revoke_key(key_id(&key)?, revocation).await?;
    Ok(success(false, &dto::RevokedKey { key: dto::Key::from(&key), moved_contexts: moved }))
}
