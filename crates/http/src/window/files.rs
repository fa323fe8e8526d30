//! `GET /window/v1/{file}` and `GET /sdk/v1/{file}`: files that were compressed and hashed at build time.

use super::policy::EMBEDDER;
use crate::error::ApiError;
use actix_web::http::header::{self, AcceptEncoding, ContentEncoding, Encoding, EntityTag, Header, IfNoneMatch};
use actix_web::{HttpRequest, HttpResponse, HttpResponseBuilder, web};
use voight_api::ErrorId;
use voight_browser::{Asset, asset};

/// Caching time without revalidation. Short, so that pages mix two versions only briefly after an upgrade.
pub(super) const CACHE_CONTROL: &str = "public, max-age=300";

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

fn serve(request: &HttpRequest, path: &str, mut response: HttpResponseBuilder) -> Result<HttpResponse, ApiError> {
    let asset = asset(path).ok_or(ErrorId::NotFound)?;
    let is_gzip = accepts_gzip(request) && !asset.gzip.is_empty();
    let encoding = if is_gzip { ContentEncoding::Gzip } else { ContentEncoding::Identity };
    let tag = etag(asset, encoding);
    response
        .insert_header((header::CACHE_CONTROL, CACHE_CONTROL))
        .insert_header((header::VARY, "accept-encoding"))
        .insert_header((header::X_CONTENT_TYPE_OPTIONS, "nosniff"));
    if if_none_match(request, &tag) {
        return Ok(response
            .status(actix_web::http::StatusCode::NOT_MODIFIED)
            .insert_header(header::ETag(tag))
            .finish());
    }
    response.insert_header(header::ETag(tag)).content_type(asset.content_type);
    if is_gzip {
        return Ok(response.insert_header(encoding).body(asset.gzip));
    }
    Ok(response.body(asset.bytes))
}

fn accepts_gzip(request: &HttpRequest) -> bool {
    let supported = [Encoding::gzip(), Encoding::identity()];
    let chosen = AcceptEncoding::parse(request).ok().and_then(|accepted| accepted.negotiate(supported.iter()));
    chosen == Some(Encoding::gzip())
}

/// Returns the entity tag of the bytes that are sent: the compressed form has its own.
fn etag(asset: &Asset, encoding: ContentEncoding) -> EntityTag {
    let bare = asset.etag.trim_matches('"');
    EntityTag::new_strong(if encoding == ContentEncoding::Gzip { format!("{bare}-gzip") } else { bare.to_owned() })
}

fn if_none_match(request: &HttpRequest, tag: &EntityTag) -> bool {
    match IfNoneMatch::parse(request) {
        Ok(IfNoneMatch::Any) => true,
        Ok(IfNoneMatch::Items(known)) => known.iter().any(|known| known.weak_eq(tag)),
        Err(_) => false,
    }
}
