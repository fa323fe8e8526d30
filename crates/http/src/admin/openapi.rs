//! `GET /openapi.json`: the OpenAPI document of the admin API, without a token, since it does not describe the installation.

use crate::error::ApiError;
use crate::openapi_document::{serve, stored};
use actix_web::{HttpResponse, web};
use std::sync::OnceLock;

/// Path of the document.
pub(super) const PATH: &str = "/openapi.json";

static TEXT: OnceLock<Option<web::Bytes>> = OnceLock::new();

/// Serves the document.
pub(super) async fn show() -> Result<HttpResponse, ApiError> {
    serve(&TEXT, || Some(stored("reference/admin-openapi.json")?.to_string()))
}
