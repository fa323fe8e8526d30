//! The public API: one file for each endpoint.

mod change_context;
pub(crate) mod context_settings;
mod create_session;
mod look_up;
mod register_context;
mod well_known;

use crate::endpoint::endpoint;
use actix_web::HttpResponse;
use actix_web::http::header::{HeaderName, HeaderValue};
use actix_web::web::{self, ServiceConfig};

const IDEMPOTENCY_REPLAYED: HeaderName = HeaderName::from_static("idempotency-replayed");

/// Mounts the public API.
pub(crate) fn configure(cfg: &mut ServiceConfig) {
    cfg.service(endpoint(register_context::PATH, "POST", [web::post().to(register_context::handle)]))
        .service(endpoint(look_up::PATH, "GET", [web::get().to(look_up::handle)]))
        .service(endpoint(create_session::PATH, "POST", [web::post().to(create_session::handle)]))
        .service(endpoint(change_context::PATH, "PATCH", [web::patch().to(change_context::handle)]))
        .service(endpoint(well_known::PATH, "GET", [web::get().to(well_known::handle)]));
}

/// Marks an answer as a replay, if it is one.
fn replay(mut answer: HttpResponse, replayed: bool) -> HttpResponse {
    if replayed {
        answer.headers_mut().insert(IDEMPOTENCY_REPLAYED, HeaderValue::from_static("true"));
    }
    answer
}
