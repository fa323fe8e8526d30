//! `GET /admin/v1/contexts/{context}`: one context.

use super::context_id;
use crate::admin::dto;
use crate::envelope::success;
use crate::error::ApiError;
use crate::state::AppState;
use actix_web::{HttpResponse, web};

pub(super) async fn show(context: web::Path<String>, state: web::Data<AppState>) -> Result<HttpResponse, ApiError> {
    let context = state.services.registrar.find_context(&context_id(&context)?).await?;
    Ok(success(false, &dto::Context::from(&context)))
}
