//! `GET /docs/`: the documentation site.

use crate::endpoint::{Endpoints, with_arguments};
use crate::error::ApiError;
use crate::pipeline::Guards;
use crate::static_file::StaticFile;
use actix_web::http::{Method, header};
use actix_web::{HttpRequest, HttpResponse, HttpResponseBuilder, web};
use voight_api::ErrorId;
use voight_docs::file;

/// Content security policy: scripts, styles and pictures of this origin only, and no framing.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; base-uri 'none'; \
                      form-action 'self'; frame-ancestors 'none'";

/// Returns the site.
pub(crate) fn endpoints() -> [Endpoints; 2] {
    [
        Endpoints::new("/docs", Guards::FILES)
            .add(Method::GET, with_arguments(redirect))
            .add(Method::HEAD, with_arguments(redirect)),
        Endpoints::new("/docs/{file:.*}", Guards::FILES)
            .add(Method::GET, with_arguments(show))
            .add(Method::HEAD, with_arguments(show)),
    ]
}

/// Redirects to the first page. The target is relative, so that it needs no address of the service.
async fn redirect() -> HttpResponse {
    redirect_to("docs/")
}

fn redirect_to(target: &str) -> HttpResponse {
    HttpResponse::PermanentRedirect()
        .insert_header((header::LOCATION, target))
        .finish()
}

/// Serves a file, or the page for missing pages. A page without its extension and a directory without its slash are redirected.
async fn show(request: HttpRequest, path: web::Path<String>) -> Result<HttpResponse, ApiError> {
    let Some(found) = file(&path) else {
        let name = path.rsplit('/').next().unwrap_or_default();
        let complete = ["/", ".html"]
            .into_iter()
            .find(|end| !name.is_empty() && file(&format!("{path}{end}")).is_some());
        return complete.map_or_else(missing, |end| Ok(redirect_to(&format!("{name}{end}"))));
    };
    let gzip = found.is_gzip.then_some(found.stored);
    let content_type = found.content_type();
    let etag = found.etag;
    StaticFile {
        content_type,
        etag,
        gzip,
        identity: || found.contents(),
    }
    .respond(&request, with_policy(HttpResponse::Ok()))
}

/// Answers a path without file. The answer is not cached.
fn missing() -> Result<HttpResponse, ApiError> {
    let page = file("404.html").ok_or(ErrorId::NotFound)?;
    let body = page.contents().map_err(|_| ErrorId::Internal)?;
    Ok(with_policy(HttpResponse::NotFound())
        .content_type(page.content_type())
        .body(body.into_owned()))
}

fn with_policy(mut response: HttpResponseBuilder) -> HttpResponseBuilder {
    response
        .insert_header((header::CONTENT_SECURITY_POLICY, POLICY))
        .insert_header((header::REFERRER_POLICY, "no-referrer"))
        .insert_header((header::CROSS_ORIGIN_RESOURCE_POLICY, "same-origin"));
    response
}
