//! `GET /window/v1/{file}` and `GET /sdk/v1/{file}`: files that were compressed and hashed at build time.

use super::policy::EMBEDDER;
use crate::error::ApiError;
use crate::static_file::StaticFile;
use actix_web::http::header;
use actix_web::{HttpRequest, HttpResponse, HttpResponseBuilder, web};
use std::borrow::Cow;
use voight_api::ErrorId;
use voight_browser::asset;

/// Serves a file of the component to pages of every origin.
pub(super) async fn component(request: HttpRequest, file: web::Path<String>) -> Result<HttpResponse, ApiError> {
    let mut response = HttpResponse::Ok();
    response
        .insert_header((header::ACCESS_CONTROL_ALLOW_ORIGIN, "*"))
        .insert_header((header::CROSS_ORIGIN_RESOURCE_POLICY, "cross-origin"));
    serve(&request, &format!("sdk/v1/{file}"), response)
}

/// Serves a file of the window to the window itself.
pub(super) async fn window(request: HttpRequest, file: web::Path<String>) -> Result<HttpResponse, ApiError> {
    let mut response = HttpResponse::Ok();
    response.insert_header((header::CROSS_ORIGIN_RESOURCE_POLICY, "same-origin")).insert_header(EMBEDDER);
    serve(&request, &format!("window/v1/{file}"), response)
}

fn serve(request: &HttpRequest, path: &str, response: HttpResponseBuilder) -> Result<HttpResponse, ApiError> {
    let asset = asset(path).ok_or(ErrorId::NotFound)?;
    let file = StaticFile {
        content_type: asset.content_type,
        etag: asset.etag,
        gzip: Some(asset.gzip).filter(|gzip| !gzip.is_empty()),
        identity: || Ok(Cow::Borrowed(asset.bytes)),
    };
    file.respond(request, response)
}
