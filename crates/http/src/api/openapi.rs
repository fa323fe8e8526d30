//! `GET /openapi.json`: the OpenAPI document of the public API.

use crate::openapi::document;
use crate::state::AppState;
use actix_web::http::header;
use actix_web::{HttpResponse, web};
use serde_json::json;
use voight_api::openapi::{Operation, ResponseBody};

/// Path of the endpoint.
pub(super) const PATH: &str = "/openapi.json";
const CACHE: &str = "public, max-age=300";

pub(super) async fn handle(state: web::Data<AppState>) -> HttpResponse {
    let text = state.openapi.get_or_init(|| describe(state.settings.public_url.as_deref()));
    HttpResponse::Ok()
        .insert_header((header::CACHE_CONTROL, CACHE))
        .insert_header(header::ContentType::json())
        .body(text.clone())
}

/// Serialises the document, with the service's public URL if it is configured.
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
