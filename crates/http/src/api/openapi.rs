//! `GET /openapi.json`: the description of this API.

use crate::openapi::{Operation, ResponseBody, document};
use crate::state::AppState;
use actix_web::http::header;
use actix_web::{HttpResponse, web};
use serde_json::json;

/// Where the endpoint is mounted.
pub(super) const PATH: &str = "/openapi.json";
const CACHE: &str = "public, max-age=300";

pub(super) async fn handle(state: web::Data<AppState>) -> HttpResponse {
    let text = state.openapi.get_or_init(|| describe(state.settings.public_url.as_deref()));
    HttpResponse::Ok()
        .insert_header((header::CACHE_CONTROL, CACHE))
        .insert_header(header::ContentType::json())
        .body(text.clone())
}

/// The document as it is served, naming the service's public URL if that is known.
fn describe(public_url: Option<&str>) -> web::Bytes {
    let mut document = document();
    if let Some(url) = public_url {
        document["servers"] = json!([{ "url": url }]);
    }
    document.to_string().into()
}

pub(super) fn operation() -> Operation {
    Operation {
        method: "get",
        path: PATH,
        id: "getOpenApi",
        summary: "This document",
        description: "The OpenAPI description of the public API.",
        needs_key: false,
        parameters: vec![],
        request: None,
        answer: ResponseBody::Object,
        headers: &[],
        errors: &[],
    }
}
