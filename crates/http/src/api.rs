//! Public API: one file for each resource.

mod batch_lookup;
mod contexts;
pub(crate) mod create_session;
mod events;
mod invoices;
mod lookup;
mod lookup_detail;
mod quote;
mod snapshots;
pub(crate) mod usage;
mod verify_receipt;
mod webhooks;
mod well_known;

pub(crate) use events::parse_event_types;
pub(crate) use invoices::InvoicePage;
pub(crate) use snapshots::GeneratedFiles;

use crate::endpoint::{Endpoints, with_arguments, with_key};
use crate::pipeline::Guards;
use crate::{livez, openapi};
use actix_web::HttpResponse;
use actix_web::http::Method;
use actix_web::http::header::{HeaderName, HeaderValue};
use voight_api::public::routes;

const IDEMPOTENCY_REPLAYED: HeaderName = HeaderName::from_static("idempotency-replayed");

/// Returns the lookups of one address.
pub(crate) fn lookup_endpoints() -> [Endpoints; 2] {
    [
        Endpoints::for_row(&routes::LOOK_UP_ADDRESS, lookup::HANDLER),
        Endpoints::for_row(&routes::LOOK_UP_ADDRESS_DETAIL, lookup_detail::HANDLER),
    ]
}

/// Returns the rest of the public API.
pub(crate) fn endpoints() -> [Endpoints; 27] {
    [
        Endpoints::for_row(&routes::REGISTER_CONTEXT, with_key(contexts::register)),
        Endpoints::for_row(&routes::LOOK_UP_BATCH, batch_lookup::BatchLookupHandler),
        Endpoints::for_row(&routes::CREATE_QUOTE, with_key(quote::handle)),
        Endpoints::for_row(&routes::LIST_SNAPSHOTS, with_key(snapshots::list))
            .add(Method::POST, with_key(snapshots::create)),
        Endpoints::for_row(&routes::GET_SNAPSHOT, with_key(snapshots::status))
            .add(Method::DELETE, with_key(snapshots::delete)),
        Endpoints::for_row(&routes::UPLOAD_ADDRESSES, with_key(snapshots::upload)),
        Endpoints::for_row(&routes::FINALIZE_SNAPSHOT, with_key(snapshots::finalize)),
        Endpoints::for_row(&routes::GET_SNAPSHOT_FILE, with_key(snapshots::download)),
        Endpoints::for_row(
            &routes::GET_SNAPSHOT_MANIFEST,
            with_key(snapshots::manifest),
        ),
        Endpoints::for_row(&routes::CREATE_SESSION, with_key(create_session::handle)),
        Endpoints::for_row(&routes::VERIFY_RECEIPT, with_key(verify_receipt::handle)),
        Endpoints::for_row(&routes::CHANGE_CONTEXT, with_key(contexts::change)),
        Endpoints::for_row(&routes::GET_USAGE, with_key(usage::show)),
        Endpoints::for_row(&routes::EXPORT_USAGE, with_key(usage::export)),
        Endpoints::for_row(&routes::GET_LEDGER_HEAD, with_key(usage::show_head)),
        Endpoints::for_row(&routes::LIST_INVOICES, with_key(invoices::list)),
        Endpoints::for_row(&routes::GET_INVOICE, with_key(invoices::show)),
        Endpoints::for_row(&routes::LIST_EVENTS, events::FeedHandler),
        Endpoints::for_row(&routes::LIST_WEBHOOKS, with_key(webhooks::list))
            .add(Method::POST, with_key(webhooks::create)),
        Endpoints::for_row(&routes::GET_WEBHOOK, with_key(webhooks::show))
            .add(Method::PATCH, with_key(webhooks::change))
            .add(Method::DELETE, with_key(webhooks::delete)),
        Endpoints::for_row(&routes::ROTATE_WEBHOOK, with_key(webhooks::rotate)),
        Endpoints::for_row(&routes::TEST_WEBHOOK, webhooks::TestHandler),
        Endpoints::for_row(&routes::REPLAY_WEBHOOK, with_key(webhooks::replay)),
        Endpoints::for_row(
            &routes::LIST_WEBHOOK_DELIVERIES,
            with_key(webhooks::deliveries),
        ),
        Endpoints::new(routes::GET_OPEN_API.path, Guards::FILES)
            .add(Method::GET, with_arguments(openapi::show_public)),
        Endpoints::new(routes::GET_KEYS.path, Guards::FILES)
            .add(Method::GET, with_arguments(well_known::handle)),
        Endpoints::new(routes::GET_LIVENESS.path, Guards::NONE)
            .add(Method::GET, with_arguments(livez::show)),
    ]
}

/// Marks a response as a replay.
fn mark_replayed(mut answer: HttpResponse) -> HttpResponse {
    answer
        .headers_mut()
        .insert(IDEMPOTENCY_REPLAYED, HeaderValue::from_static("true"));
    answer
}
