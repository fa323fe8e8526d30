//! `PATCH /admin/v1/contexts/{context}`: changes the settings of a context. The body is that of the public API.

use crate::admin::caller::Caller;
use crate::admin::resolve::context_id;
use crate::envelope::success;
use crate::error::ApiError;
use crate::extract::Json;
use crate::state::AppState;
use actix_web::{HttpResponse, web};
use voight_api::admin;
use voight_domain::registry::ContextChange;

pub(super) async fn change(
    context: web::Path<String>,
    Json(body): Json<admin::ContextPatch>,
    caller: Caller,
    state: web::Data<AppState>,
) -> Result<HttpResponse, ApiError> {
    let patch = body;
    let in_words = patch.describe();
    let change = patch
        .into_change(state.clock.now())
        .map_err(ApiError::invalid)?;
    if change == ContextChange::default() {
        return Err(ApiError::invalid(
            "The request changes nothing: send a setting, or archived.",
        ));
    }
    let registrar = &state.services.registrar;
    let context_record = registrar
        .change_context(
            &context_id(&state, &context).await?,
            change,
            caller.actor,
            in_words,
        )
        .await?;
    Ok(success(&admin::Context::from(&context_record)))
}
