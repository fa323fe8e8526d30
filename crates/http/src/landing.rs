//! `GET /`: status, first steps and links of the service, for people and programs that find its address.

use crate::admin::readiness;
use crate::endpoint::{Endpoints, with_arguments};
use crate::envelope::success;
use crate::error::ApiError;
use crate::pipeline::Guards;
use crate::state::AppState;
use crate::window::NPM_PACKAGE;
use actix_web::http::Method;
use actix_web::http::header::{self, HeaderValue};
use actix_web::{HttpRequest, HttpResponse, web};
use askama::Template;
use serde::Serialize;
use voight_api::ErrorId;
use voight_domain::vocabulary::Origin;

const STYLE: &str = include_str!("../assets/landing.css");
const DOCUMENTATION: &str = "/docs/";
const OPENAPI: &str = "/openapi.json";
const VERSION: &str = env!("CARGO_PKG_VERSION");
/// Content security policy: no script, only the style sheet and the icon, and no framing.
const POLICY: &str = "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const CACHE: &str = "public, max-age=300";
/// Address of a service that knows no other: the default of `voight serve`.
const DEFAULT_ADDRESS: &str = "http://localhost:8080";

/// Template of the page.
#[derive(Template)]
#[template(path = "landing.html")]
struct Page {
    /// Address of the service for its callers, without a slash at the end.
    address: String,
    is_ready: bool,
    version: &'static str,
    npm_package: &'static str,
}

/// Links for programs.
#[derive(Serialize)]
struct Links {
    name: &'static str,
    version: &'static str,
    openapi: &'static str,
    documentation: &'static str,
    npm_package: &'static str,
}

/// Returns the page and its style sheet.
pub(crate) fn endpoints() -> [Endpoints; 2] {
    [
        Endpoints::new("/", Guards::FILES).add(Method::GET, with_arguments(show)),
        Endpoints::new("/landing.css", Guards::FILES).add(Method::GET, with_arguments(style)),
    ]
}

async fn show(request: HttpRequest, state: web::Data<AppState>) -> Result<HttpResponse, ApiError> {
    let mut response = if accepts_html(&request) {
        page(&request, &state)?
    } else {
        links()
    };
    response
        .headers_mut()
        .insert(header::VARY, HeaderValue::from_static("accept"));
    Ok(response)
}

/// Renders the page. Its status is that of this moment, so it is not cached.
fn page(request: &HttpRequest, state: &AppState) -> Result<HttpResponse, ApiError> {
    let page = Page {
        address: address(request, state.settings.public_url.as_deref()),
        is_ready: readiness(state).ready,
        version: VERSION,
        npm_package: NPM_PACKAGE,
    };
    let body = page.render().map_err(|_| ErrorId::Internal)?;
    Ok(HttpResponse::Ok()
        .content_type("text/html; charset=utf-8")
        .insert_header((header::CACHE_CONTROL, "no-cache"))
        .insert_header((header::CONTENT_SECURITY_POLICY, POLICY))
        .insert_header((header::REFERRER_POLICY, "no-referrer"))
        .body(body))
}

/// Returns the configured address of the service; without one, that of the host that the request names.
fn address(request: &HttpRequest, public_url: Option<&str>) -> String {
    if let Some(url) = public_url {
        return url.trim_end_matches('/').to_owned();
    }
    let host = request
        .headers()
        .get(header::HOST)
        .and_then(|host| host.to_str().ok())
        .unwrap_or_default();
    Origin::of_url(&format!("http://{host}"))
        .map_or_else(|_| DEFAULT_ADDRESS.to_owned(), |origin| origin.to_string())
}

fn links() -> HttpResponse {
    let mut response = success(&Links {
        name: "Voight",
        version: VERSION,
        openapi: OPENAPI,
        documentation: DOCUMENTATION,
        npm_package: NPM_PACKAGE,
    });
    response
        .headers_mut()
        .insert(header::CACHE_CONTROL, HeaderValue::from_static(CACHE));
    response
}

async fn style() -> HttpResponse {
    HttpResponse::Ok()
        .content_type("text/css; charset=utf-8")
        .insert_header((header::CACHE_CONTROL, CACHE))
        .body(STYLE)
}

/// Returns `true` if the caller is a browser: only browsers list HTML in `Accept`.
fn accepts_html(request: &HttpRequest) -> bool {
    let accept_values = request
        .headers()
        .get_all(header::ACCEPT)
        .filter_map(|value| value.to_str().ok());
    accept_values
        .flat_map(|value| value.split(','))
        .any(|media| {
            media
                .split(';')
                .next()
                .is_some_and(|media| media.trim().eq_ignore_ascii_case("text/html"))
        })
}
