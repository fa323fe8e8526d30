#![doc = include_str!("../README.md")]

pub mod admin;
mod api;
mod connection;
mod create_app;
mod endpoint;
mod envelope;
mod error;
mod error_table;
pub mod export;
pub mod extract;
mod header_value;
mod in_flight;
mod invoice_page;
mod jwk;
mod key_uses;
mod landing;
mod limits;
mod livez;
mod metrics;
mod middleware;
mod openapi;
mod places;
mod protocol;
mod records;
mod scans;
mod score;
mod server;
mod services;
mod settings;
mod state;
mod twins;
#[cfg(test)]
#[path = "../../../tests/src/update.rs"]
mod update;
mod watched_clock;
mod window;
mod written_body;

pub use create_app::{app_with_endpoints, create_app};
pub use endpoint::endpoint;
pub use envelope::success;
pub use error::ApiError;
pub use error_table::{Api, ErrorId, ErrorSpec, Retry};
pub use key_uses::KeyUses;
pub use limits::{Limiter, MonotonicClock, Network, RateLimitState, RateLimited, RateLimiters};
pub use metrics::Metrics;
pub use middleware::RequestId;
pub use openapi::document as openapi_document;
pub use protocol::serve_public_connection;
pub use records::{ExportFormat, ExportFormatError, formula_guard, without_formula_guard};
pub use server::serve_public;
pub use services::{Ports, Services};
pub use settings::{ForwardingHeader, HttpSettings, LimitSettings, Listeners};
pub use state::AppState;
pub use watched_clock::GuardedClock;
