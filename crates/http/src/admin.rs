//! Admin listener: probes, metrics and the API for operators. It never shares a port with the public API, answers only to its
//! own `Host`, and sends no CORS headers, so that no page in an operator's browser can reach it.

mod amount;
mod app;
mod audit;
mod backup;
mod bulk_read;
mod caller;
mod clients;
mod clock;
mod clusters;
mod contexts;
mod erase;
mod error;
mod handshake;
mod host;
mod info;
mod invoices;
mod keys;
mod labels;
mod ledger_export;
mod metrics;
mod ndjson;
mod openapi;
mod query;
mod readyz;
mod recordings;
mod replay;
mod resolve;
mod routes;
mod serve;
mod signing_keys;
mod store;
mod token;
mod tokens;
mod usage;
mod usage_export;
mod verdicts;

pub use app::create_admin_app;
pub use serve::{serve_admin, serve_admin_socket};
