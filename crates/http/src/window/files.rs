//! `GET /window/v1/{file}`, `GET /sdk/v1/{file}` and the npm package: files that are embedded in the binary.

use super::policy::EMBEDDER;
use crate::error::ApiError;
use crate::static_file::StaticFile;
use actix_web::http::header;
use actix_web::{HttpRequest, HttpResponse, HttpResponseBuilder, web};
use std::borrow::Cow;
use voight_api::ErrorId;
use voight_browser::{Asset, asset, npm_package};

/// Serves a file of the component to pages of every origin.
pub(super) async fn component(
    request: HttpRequest,
    file: web::Path<String>,
) -> Result<HttpResponse, ApiError> {
    let mut response = HttpResponse::Ok();
    response
        .insert_header((header::ACCESS_CONTROL_ALLOW_ORIGIN, "*"))
        .insert_header((header::CROSS_ORIGIN_RESOURCE_POLICY, "cross-origin"));
    serve(&request, asset(&format!("sdk/v1/{file}")), response)
}

/// Serves the archive of the npm package to package managers.
pub(super) async fn package(request: HttpRequest) -> Result<HttpResponse, ApiError> {
    serve(&request, Some(npm_package()), HttpResponse::Ok())
}

/// Serves a file of the window to the window itself.
pub(super) async fn window(
    request: HttpRequest,
    file: web::Path<String>,
) -> Result<HttpResponse, ApiError> {
    let mut response = HttpResponse::Ok();
    response
        .insert_header((header::CROSS_ORIGIN_RESOURCE_POLICY, "same-origin"))
        .insert_header(EMBEDDER);
    serve(&request, asset(&format!("window/v1/{file}")), response)
}

fn serve(
    request: &HttpRequest,
    asset: Option<&'static Asset>,
    response: HttpResponseBuilder,
) -> Result<HttpResponse, ApiError> {
    let asset = asset.ok_or(ErrorId::NotFound)?;
    let file = StaticFile {
        content_type: asset.content_type,
        etag: asset.etag,
        gzip: Some(asset.gzip).filter(|gzip| !gzip.is_empty()),
        identity: || Ok(Cow::Borrowed(asset.bytes)),
    };
    file.respond(request, response)
}
