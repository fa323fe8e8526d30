//! Public API: one file for each endpoint.

mod change_context;
pub(crate) mod create_session;
pub(crate) mod date_range;
mod export_usage;
mod invoice;
mod invoices;
mod look_up_batch;
mod look_up_detail;
mod lookup;
mod number;
mod openapi;
mod quote;
mod register_context;
mod snapshots;
pub(crate) mod usage;
mod usage_head;
mod verify_receipt;
mod well_known;

pub(crate) use snapshots::GeneratedFiles;

use crate::endpoint::{endpoint, file_endpoint, public_route};
use crate::livez::{self, probe};
use crate::state::AppState;
use actix_web::HttpResponse;
use actix_web::http::header::{HeaderName, HeaderValue};
use actix_web::web::{self, ServiceConfig};
use voight_api::public::routes;

const IDEMPOTENCY_REPLAYED: HeaderName = HeaderName::from_static("idempotency-replayed");

/// Mounts the lookups of one address.
pub(crate) fn configure_lookups(cfg: &mut ServiceConfig, state: &web::Data<AppState>) {
    cfg.service(lookup::resource(state, &lookup::ENDPOINT))
        .service(lookup::resource(state, &look_up_detail::ENDPOINT));
}

/// Mounts the rest of the public API.
pub(crate) fn configure(cfg: &mut ServiceConfig) {
    cfg.service(public_route(
        &routes::REGISTER_CONTEXT,
        register_context::handle,
    ))
    .service(public_route(&routes::LOOK_UP_BATCH, look_up_batch::handle))
    .service(public_route(&routes::CREATE_QUOTE, quote::handle))
    .service(endpoint(
        routes::CREATE_SNAPSHOT.path,
        "GET, POST",
        [
            web::post().to(snapshots::create),
            web::get().to(snapshots::list),
        ],
    ))
    .service(endpoint(
        routes::GET_SNAPSHOT.path,
        "GET, DELETE",
        [
            web::get().to(snapshots::status),
            web::delete().to(snapshots::delete),
        ],
    ))
    .service(public_route(&routes::UPLOAD_ADDRESSES, snapshots::upload))
    .service(public_route(
        &routes::FINALIZE_SNAPSHOT,
        snapshots::finalize,
    ))
    .service(public_route(
        &routes::GET_SNAPSHOT_FILE,
        snapshots::download,
    ))
    .service(public_route(
        &routes::GET_SNAPSHOT_MANIFEST,
        snapshots::manifest,
    ))
    .service(public_route(
        &routes::CREATE_SESSION,
        create_session::handle,
    ))
    .service(public_route(
        &routes::VERIFY_RECEIPT,
        verify_receipt::handle,
    ))
    .service(public_route(
        &routes::CHANGE_CONTEXT,
        change_context::handle,
    ))
    .service(public_route(&routes::GET_USAGE, usage::handle))
    .service(public_route(&routes::EXPORT_USAGE, export_usage::handle))
    .service(public_route(&routes::GET_LEDGER_HEAD, usage_head::handle))
    .service(public_route(&routes::LIST_INVOICES, invoices::handle))
    .service(public_route(&routes::GET_INVOICE, invoice::handle))
    .service(file_endpoint(
        routes::GET_OPEN_API.path,
        "GET",
        [web::get().to(openapi::handle)],
    ))
    .service(file_endpoint(
        routes::GET_KEYS.path,
        "GET",
        [web::get().to(well_known::handle)],
    ))
    .service(probe(routes::GET_LIVENESS.path, web::get().to(livez::show)));
}

/// Marks a response as a replay.
fn mark_replayed(mut answer: HttpResponse) -> HttpResponse {
    answer
        .headers_mut()
        .insert(IDEMPOTENCY_REPLAYED, HeaderValue::from_static("true"));
    answer
}
