//! `GET /openapi.json`: the OpenAPI document of the admin API, without a token, since it does not describe the installation.

use crate::error::ApiError;
use crate::openapi_document::{DocumentText, serve};
use actix_web::HttpResponse;

/// Path of the document.
pub(super) const PATH: &str = "/openapi.json";

static TEXT: DocumentText = DocumentText::new();

/// Serves the document.
pub(super) async fn show() -> Result<HttpResponse, ApiError> {
    serve(&TEXT, "reference/admin-openapi.json", |_| {})
}
