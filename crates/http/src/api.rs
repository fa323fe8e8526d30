//! Public API: one file for each endpoint.

mod change_context;
pub(crate) mod create_session;
pub(crate) mod date_range;
mod export_usage;
mod invoice;
mod invoices;
mod look_up_detail;
mod lookup;
mod number;
mod openapi;
mod register_context;
pub(crate) mod usage;
mod usage_head;
mod verify_receipt;
mod well_known;

use crate::endpoint::{endpoint, file_endpoint};
use actix_web::HttpResponse;
use actix_web::http::header::{HeaderName, HeaderValue};
use actix_web::web::{self, ServiceConfig};
use serde_json::Value;
use voight_api::openapi::{NamedSchemas, Operation, add_schema, invoice_schema, origin_schema};

const IDEMPOTENCY_REPLAYED: HeaderName = HeaderName::from_static("idempotency-replayed");

/// Mounts the public API.
pub(crate) fn configure(cfg: &mut ServiceConfig) {
    cfg.service(endpoint(register_context::PATH, "POST", [web::post().to(register_context::handle)]))
        .service(endpoint(lookup::PATH, "GET", [web::get().to(lookup::handle)]))
        .service(endpoint(look_up_detail::PATH, "GET", [web::get().to(look_up_detail::handle)]))
        .service(endpoint(create_session::PATH, "POST", [web::post().to(create_session::handle)]))
        .service(endpoint(verify_receipt::PATH, "POST", [web::post().to(verify_receipt::handle)]))
        .service(endpoint(change_context::PATH, "PATCH", [web::patch().to(change_context::handle)]))
        .service(endpoint(usage::PATH, "GET", [web::get().to(usage::handle)]))
        .service(endpoint(export_usage::PATH, "GET", [web::get().to(export_usage::handle)]))
        .service(endpoint(usage_head::PATH, "GET", [web::get().to(usage_head::handle)]))
        .service(endpoint(invoices::PATH, "GET", [web::get().to(invoices::handle)]))
        .service(endpoint(invoice::PATH, "GET", [web::get().to(invoice::handle)]))
        .service(file_endpoint(openapi::PATH, "GET", [web::get().to(openapi::handle)]))
        .service(file_endpoint(well_known::PATH, "GET", [web::get().to(well_known::handle)]));
}

/// Returns every operation, for the OpenAPI document.
pub(crate) fn operations() -> [Operation; 14] {
    [
        register_context::operation(),
        lookup::operation(),
        look_up_detail::operation(),
        create_session::operation(),
        verify_receipt::operation(),
        change_context::operation(),
        usage::operation(),
        usage_head::operation(),
        export_usage::operation(),
        invoices::operation(),
        invoice::operation(),
        well_known::operation(),
        openapi::operation(),
        crate::livez::operation(),
    ]
}

/// Collects the schemas of all types of the public API.
pub(crate) fn schemas(into: &mut NamedSchemas) {
    add_schema::<register_context::RegisterContext>(into);
    add_schema::<register_context::RegisteredContext>(into);
    add_schema::<lookup::LookupResponse>(into);
    add_schema::<look_up_detail::LookupDetailResponse>(into);
    add_schema::<create_session::CreateSession>(into);
    add_schema::<create_session::CreatedSession>(into);
    add_schema::<verify_receipt::VerifyReceipt>(into);
    add_schema::<verify_receipt::VerifiedReceipt>(into);
    add_schema::<voight_api::public::ChangeContext>(into);
    add_schema::<voight_api::public::ContextView>(into);
    add_schema::<usage::UsageOfClient>(into);
    add_schema::<usage_head::SignedLedgerHead>(into);
    add_schema::<voight_api::KeySet>(into);
}

/// Returns the schemas that are written by hand because no type expresses them.
pub(crate) fn written_schemas() -> [(&'static str, Value); 3] {
    [("Invoice", invoice_schema()), ("InvoicesOfClient", invoices::schema()), ("Origin", origin_schema())]
}

/// Marks a response as a replay if `replayed` is `true`.
fn replay(mut answer: HttpResponse, replayed: bool) -> HttpResponse {
    if replayed {
        answer.headers_mut().insert(IDEMPOTENCY_REPLAYED, HeaderValue::from_static("true"));
    }
    answer
}
