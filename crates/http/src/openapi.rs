//! `GET /openapi.json` on both listeners: OpenAPI documents, read from the embedded documentation. A test compares them with the
//! route tables, so that the service needs no generator.

use crate::error::ApiError;
use crate::state::{AppState, DocumentText};
use actix_web::http::header;
use actix_web::{HttpResponse, web};
use serde_json::{Value, json};
use voight_api::ErrorId;

const CACHE: &str = "public, max-age=300";

/// Serves the document at a path of the documentation. `change` is applied once, before the first response.
fn serve(
    text: &DocumentText,
    path: &str,
    change: impl FnOnce(&mut Value),
) -> Result<HttpResponse, ApiError> {
    let read_document = || {
        let mut document =
            serde_json::from_slice(&voight_docs::file(path)?.contents().ok()?).ok()?;
        change(&mut document);
        Some(document.to_string().into())
    };
    let text = text
        .get_or_init(read_document)
        .clone()
        .ok_or(ErrorId::Internal)?;
    let answer = HttpResponse::Ok()
        .insert_header((header::CACHE_CONTROL, CACHE))
        .insert_header(header::ContentType::json())
        .body(text);
    Ok(answer)
}

/// Serves the document of the public API, with the service's public URL if it is configured.
pub(crate) async fn show_public(state: web::Data<AppState>) -> Result<HttpResponse, ApiError> {
    serve(&state.openapi, "reference/openapi.json", |document| {
        if let Some(url) = &state.settings.public_url {
            document["servers"] = json!([{ "url": url }]);
        }
    })
}

/// Serves the document of the admin API, without a token, since it does not describe the installation.
pub(crate) async fn show_admin() -> Result<HttpResponse, ApiError> {
    static TEXT: DocumentText = DocumentText::new();
    serve(&TEXT, "reference/admin-openapi.json", |_| {})
}
