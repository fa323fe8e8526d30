//! `GET /openapi.json`: the OpenAPI document of the admin API, without a token, since it does not describe the installation.

use actix_web::HttpResponse;
use actix_web::http::header;
use std::sync::LazyLock;
use voight_api::openapi::admin_document;

/// Path of the document.
pub(super) const PATH: &str = "/openapi.json";
const CACHE: &str = "public, max-age=300";

static TEXT: LazyLock<String> = LazyLock::new(|| admin_document().to_string());

/// Serves the document.
pub(super) async fn show() -> HttpResponse {
    HttpResponse::Ok()
        .insert_header((header::CACHE_CONTROL, CACHE))
        .insert_header(header::ContentType::json())
        .body(TEXT.as_str())
}
