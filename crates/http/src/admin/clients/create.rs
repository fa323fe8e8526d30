//! `POST /admin/v1/clients`: creates a client.

use crate::admin::caller::Caller;
use crate::admin::error::parsed;
use crate::envelope::success;
use crate::error::ApiError;
use crate::extract::Json;
use crate::state::AppState;
use actix_web::{HttpResponse, web};
use voight_api::admin;

pub(super) async fn create(
    Json(body): Json<admin::NewClient>,
    caller: Caller,
    state: web::Data<AppState>,
) -> Result<HttpResponse, ApiError> {
    let name = parsed("name", &body.name)?;
    let client = state
        .services
        .registrar
        .acting_as(&caller.actor)
        .create_client(name)
        .await?;
    Ok(success(&admin::Client::from(&client)))
}
