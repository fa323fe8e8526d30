//! `POST /admin/v1/contexts/{context}/move`: assigns a context to another key of its client.

use crate::admin::caller::Caller;
use crate::admin::resolve::{context_id, key_id};
use crate::envelope::success;
use crate::error::ApiError;
use crate::extract::Json;
use crate::state::AppState;
use actix_web::{HttpResponse, web};
use voight_api::admin;

pub(super) async fn move_context(
    context: web::Path<String>,
    Json(body): Json<admin::ContextMove>,
    caller: Caller,
    state: web::Data<AppState>,
) -> Result<HttpResponse, ApiError> {
    let (context, to) = (
        context_id(&state, &context).await?,
        key_id(&state, &body.to_key).await?,
    );
    let context_record = state
        .services
        .registrar
        .acting_as(&caller.actor)
        .move_context(&context, to, body.reason.as_deref())
        .await?;
    Ok(success(&admin::Context::from(&context_record)))
}
