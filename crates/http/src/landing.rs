//! `GET /`: the name of the service with links to its documentation, for people and programs that find its address.

use crate::endpoint::file_endpoint;
use crate::envelope::success;
use actix_web::http::header::{self, HeaderValue};
use actix_web::web::{self, ServiceConfig};
use actix_web::{HttpRequest, HttpResponse};
use serde::Serialize;

const PAGE: &str = include_str!("../assets/landing.html");
const STYLE: &str = include_str!("../assets/landing.css");
const DOCUMENTATION: &str = "/docs/";
const OPENAPI: &str = "/openapi.json";
/// Content security policy: no script, only the style sheet, and no framing.
const POLICY: &str =
    "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const CACHE: &str = "public, max-age=300";

/// Links for programs.
#[derive(Serialize)]
struct Links {
    name: &'static str,
    version: &'static str,
    openapi: &'static str,
    documentation: &'static str,
}

/// Mounts the page and its style sheet.
pub(crate) fn configure(cfg: &mut ServiceConfig) {
    cfg.service(file_endpoint("/", "GET", [web::get().to(show)])).service(file_endpoint(
        "/landing.css",
        "GET",
        [web::get().to(style)],
    ));
}

async fn show(request: HttpRequest) -> HttpResponse {
    let mut response = if accepts_html(&request) { page() } else { links() };
    response.headers_mut().insert(header::VARY, HeaderValue::from_static("accept"));
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static(CACHE));
    response
}

fn page() -> HttpResponse {
    HttpResponse::Ok()
        .content_type("text/html; charset=utf-8")
        .insert_header((header::CONTENT_SECURITY_POLICY, POLICY))
        .insert_header((header::REFERRER_POLICY, "no-referrer"))
        .body(PAGE)
}

fn links() -> HttpResponse {
    let version = env!("CARGO_PKG_VERSION");
    success(&Links { name: "Voight", version, openapi: OPENAPI, documentation: DOCUMENTATION })
}

async fn style() -> HttpResponse {
    HttpResponse::Ok().content_type("text/css; charset=utf-8").insert_header((header::CACHE_CONTROL, CACHE)).body(STYLE)
}

/// Returns `true` if the caller is a browser: only browsers list HTML in `Accept`.
fn accepts_html(request: &HttpRequest) -> bool {
    let accepted = request.headers().get_all(header::ACCEPT).filter_map(|value| value.to_str().ok());
    accepted
        .flat_map(|value| value.split(','))
        .any(|media| media.split(';').next().is_some_and(|media| media.trim().eq_ignore_ascii_case("text/html")))
}
