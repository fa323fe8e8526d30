//! `GET /admin/v1/contexts/{context}`: one context.

use crate::envelope::success;
use crate::error::ApiError;
use crate::state::AppState;
use actix_web::{HttpResponse, web};
use voight_api::admin;

pub(super) async fn show(
    context: web::Path<String>,
    state: web::Data<AppState>,
) -> Result<HttpResponse, ApiError> {
    let context = state.services.registrar.resolve_context(&context).await?;
    Ok(success(&admin::Context::from(&context)))
}
