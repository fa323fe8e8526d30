//! `GET /openapi.json`: the OpenAPI document of the public API.

use crate::state::AppState;
use actix_web::http::header;
use actix_web::{HttpResponse, web};
use serde_json::json;
use voight_api::openapi::public_document;

const CACHE: &str = "public, max-age=300";

pub(super) async fn handle(state: web::Data<AppState>) -> HttpResponse {
    let text = state.openapi.get_or_init(|| describe(state.settings.public_url.as_deref()));
    HttpResponse::Ok()
        .insert_header((header::CACHE_CONTROL, CACHE))
        .insert_header(header::ContentType::json())
        .body(text.clone())
}

/// Serialises the document, with the service's public URL if it is configured.
fn describe(public_url: Option<&str>) -> web::Bytes {
    let mut document = public_document();
    if let Some(url) = public_url {
        document["servers"] = json!([{ "url": url }]);
    }
    document.to_string().into()
}
