//! OpenAPI documents, read from the embedded documentation. A test compares them with the route tables, so that the service
//! needs no generator.

use crate::error::ApiError;
use actix_web::http::header;
use actix_web::{HttpResponse, web};
use serde_json::Value;
use std::sync::OnceLock;
use voight_api::ErrorId;

const CACHE: &str = "public, max-age=300";

/// Returns the document at a path of the documentation; `None` if it is missing or corrupt, which is a bug of the build.
pub(crate) fn stored(path: &str) -> Option<Value> {
    serde_json::from_slice(&voight_docs::file(path)?.contents().ok()?).ok()
}

/// Serves a document, which is serialised for the first request.
pub(crate) fn serve(
    text: &OnceLock<Option<web::Bytes>>,
    serialize: impl FnOnce() -> Option<String>,
) -> Result<HttpResponse, ApiError> {
    let text = text.get_or_init(|| serialize().map(web::Bytes::from)).clone().ok_or(ErrorId::Internal)?;
    let answer = HttpResponse::Ok()
        .insert_header((header::CACHE_CONTROL, CACHE))
        .insert_header(header::ContentType::json())
        .body(text);
    Ok(answer)
}
