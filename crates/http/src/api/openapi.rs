//! `GET /openapi.json`: the description of this API.

use crate::openapi::{Body, Operation, document};
use crate::state::AppState;
use actix_web::http::header;
use actix_web::{HttpResponse, web};
use serde_json::json;

/// Where the endpoint is mounted.
pub(super) const PATH: &str = "/openapi.json";
const CACHE: &str = "public, max-age=300";

pub(super) async fn handle(state: web::Data<AppState>) -> HttpResponse {
    let mut document = document();
    if let Some(url) = &state.settings.public_url {
        document["servers"] = json!([{ "url": url }]);
    }
    HttpResponse::Ok().insert_header((header::CACHE_CONTROL, CACHE)).json(document)
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
        answer: Body::Object,
        headers: &[],
        errors: &[],
    }
}
