//! `GET /admin/v1/clients/{client}`: the client of this name or id.

use crate::admin::dto;
use crate::envelope::success;
use crate::error::ApiError;
use crate::state::AppState;
use actix_web::{HttpResponse, web};

pub(super) async fn show(client: web::Path<String>, state: web::Data<AppState>) -> Result<HttpResponse, ApiError> {
    let client = state.services.registrar.find_client(&client).await?;
    Ok(success(false, &dto::Client::from(&client)))
}
