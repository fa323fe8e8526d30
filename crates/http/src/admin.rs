//! Admin listener: probes, metrics and the API for operators. It never shares a port with the public API, answers only to its
//! own `Host`, and sends no CORS headers, so that no page in an operator's browser can reach it.

mod amount;
mod app;
mod audit;
mod backup;
mod bulk_read;
mod clients;
mod clock;
mod clusters;
mod contexts;
mod erase;
mod error;
mod events;
mod handshake;
mod info;
mod invoices;
mod keys;
mod labels;
mod metrics;
mod query;
mod readyz;
mod recordings;
mod replay;
mod resolve;
mod routes;
mod serve;
mod signing_keys;
mod store;
mod tokens;
mod usage;
mod users;
mod verdicts;
mod webhooks;

pub use app::{AdminPages, create_admin_app};
pub(crate) use readyz::readiness;
pub use serve::{serve_admin, serve_admin_socket};

use routes::Routes;
use voight_api::admin::routes as api;

/// Returns every route that requires the token.
fn every_route() -> Routes {
    let mut routes = Routes::default();
    for configure in [
        clients::configure as fn(&mut Routes),
        keys::configure,
        verdicts::configure,
        contexts::configure,
        invoices::configure,
        labels::configure,
        clock::configure,
        signing_keys::configure,
        tokens::configure,
        users::configure,
        webhooks::configure,
    ] {
        configure(&mut routes);
    }
    routes
        .add(&api::REPLAY, replay::replay)
        .add(&api::EXPORT_RECORDINGS, recordings::show)
        .add(&api::SHOW_USAGE, usage::show)
        .add(&api::EXPORT_LOOKUPS, usage::export)
        .add(&api::IMPORT_CLUSTERS, clusters::import)
        .add(&api::LIST_AUDIT, audit::list)
        .add(&api::TAIL_EVENTS, events::tail)
        .add(&api::ERASE, erase::erase)
        .add(&api::SHOW_AUDIT_HEAD, audit::head)
        .add(&api::EXPORT_LEDGER, audit::export)
        .add(&api::SHOW_INFO, info::show)
        .add(&api::SHOW_STORE, store::show)
        .add(&api::DUMP_STORE, backup::show);
    routes
}
