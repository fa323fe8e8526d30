//! Responses with files that were compressed and hashed at build time.

use crate::error::ApiError;
use actix_web::http::StatusCode;
use actix_web::http::header::{
    self, AcceptEncoding, ContentEncoding, Encoding, EntityTag, Header, IfNoneMatch,
};
use actix_web::{HttpRequest, HttpResponse, HttpResponseBuilder};
use std::borrow::Cow;
use std::io;
use voight_api::ErrorId;

/// Caching time without revalidation. Short, so that pages mix two versions only briefly after an upgrade.
pub(crate) const CACHE_CONTROL: &str = "public, max-age=300";

/// File with its forms. `identity` returns the body without compression.
pub(crate) struct StaticFile<F> {
    pub(crate) content_type: &'static str,
    /// Strong entity tag of the body without compression, with its quotes.
    pub(crate) etag: &'static str,
    /// Body compressed with gzip, if there is one.
    pub(crate) gzip: Option<&'static [u8]>,
    pub(crate) identity: F,
}

impl<F: FnOnce() -> io::Result<Cow<'static, [u8]>>> StaticFile<F> {
    /// Adds the file to a response: the form that the request accepts, or 304 if the client has it.
    ///
    /// # Errors
    ///
    /// Fails if the body cannot be read, which is a bug of the build.
    pub(crate) fn respond(
        self,
        request: &HttpRequest,
        mut response: HttpResponseBuilder,
    ) -> Result<HttpResponse, ApiError> {
        let gzip = self.gzip.filter(|_| accepts_gzip(request));
        let tag = entity_tag(self.etag, gzip.is_some());
        response
            .insert_header((header::CACHE_CONTROL, CACHE_CONTROL))
            .insert_header((header::VARY, "accept-encoding"))
            .insert_header((header::X_CONTENT_TYPE_OPTIONS, "nosniff"));
        if if_none_match(request, &tag) {
            return Ok(response
                .status(StatusCode::NOT_MODIFIED)
                .insert_header(header::ETag(tag))
                .finish());
        }
        response
            .insert_header(header::ETag(tag))
            .content_type(self.content_type);
        if let Some(gzip) = gzip {
            return Ok(response.insert_header(ContentEncoding::Gzip).body(gzip));
        }
        Ok(match (self.identity)().map_err(|_| ErrorId::Internal)? {
            Cow::Borrowed(body) => response.body(body),
            Cow::Owned(body) => response.body(body),
        })
    }
}

fn accepts_gzip(request: &HttpRequest) -> bool {
    let encodings = [Encoding::gzip(), Encoding::identity()];
    let encoding = AcceptEncoding::parse(request)
        .ok()
        .and_then(|accept_encoding| accept_encoding.negotiate(encodings.iter()));
    encoding == Some(Encoding::gzip())
}

/// Returns the entity tag of the bytes that are sent: the compressed form has its own.
fn entity_tag(etag: &str, is_gzip: bool) -> EntityTag {
    let bare = etag.trim_matches('"');
    EntityTag::new_strong(if is_gzip {
        format!("{bare}-gzip")
    } else {
        bare.to_owned()
    })
}

fn if_none_match(request: &HttpRequest, tag: &EntityTag) -> bool {
    match IfNoneMatch::parse(request) {
        Ok(IfNoneMatch::Any) => true,
        Ok(IfNoneMatch::Items(known)) => known.iter().any(|listed_tag| listed_tag.weak_eq(tag)),
        Err(_) => false,
    }
}
