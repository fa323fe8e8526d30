//! `POST /admin/v1/keys/{key}/revoke`: revokes an API key. All its secrets become invalid immediately.

use crate::admin::caller::Caller;
use crate::admin::resolve::key_id;
use crate::envelope::success;
use crate::error::ApiError;
use crate::extract::OptionalJson;
use crate::state::AppState;
use actix_web::{HttpResponse, web};
use voight_api::admin;
use voight_domain::services::Revocation;

pub(super) async fn revoke(
    key: web::Path<String>,
    OptionalJson(body): OptionalJson<admin::KeyRevocation>,
    caller: Caller,
    state: web::Data<AppState>,
) -> Result<HttpResponse, ApiError> {
    let key = key_id(&state, &key).await?;
    let move_contexts_to = match body.move_contexts_to {
        Some(to) => Some(key_id(&state, &to).await?),
        None => None,
    };
    let revocation = Revocation {
        move_contexts_to,
        reason: body.reason,
    };
    let (key, moved) = state
        .services
        .registrar
        .acting_as(&caller.actor)
        .revoke_key(key, revocation)
        .await?;
    Ok(success(&admin::RevokedKey {
        key: admin::Key::from(&key),
        moved_contexts: moved,
    }))
}
