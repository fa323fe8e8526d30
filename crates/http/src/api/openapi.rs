//! `GET /openapi.json`: the OpenAPI document of the public API.

use crate::error::ApiError;
use crate::openapi_document::{serve, stored};
use crate::state::AppState;
use actix_web::{HttpResponse, web};
use serde_json::json;

pub(super) async fn handle(state: web::Data<AppState>) -> Result<HttpResponse, ApiError> {
    serve(&state.openapi, || describe(state.settings.public_url.as_deref()))
}

/// Returns the document, with the service's public URL if it is configured.
fn describe(public_url: Option<&str>) -> Option<String> {
    let mut document = stored("reference/openapi.json")?;
    if let Some(url) = public_url {
        document["servers"] = json!([{ "url": url }]);
    }
    Some(document.to_string())
}
