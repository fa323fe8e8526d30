//! `GET /openapi.json`: the OpenAPI document of the public API, with the service's public URL if it is configured.

use crate::error::ApiError;
use crate::openapi_document::serve;
use crate::state::AppState;
use actix_web::{HttpResponse, web};
use serde_json::json;

pub(super) async fn handle(state: web::Data<AppState>) -> Result<HttpResponse, ApiError> {
    serve(&state.openapi, "reference/openapi.json", |document| {
        if let Some(url) = &state.settings.public_url {
            document["servers"] = json!([{ "url": url }]);
        }
    })
}
