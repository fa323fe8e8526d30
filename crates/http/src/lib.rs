#![doc = include_str!("../README.md")]

pub mod admin;
mod api;
mod app;
mod concurrency_limit;
mod connection;
mod endpoint;
mod envelope;
mod error;
pub mod extract;
mod guarded_clock;
mod header_value;
mod idempotency_lock;
mod in_flight;
mod invoice_page;
mod key_uses;
mod landing;
mod ledger_export;
mod limits;
mod livez;
mod metrics;
mod middleware;
mod protocol;
mod scan_pool;
mod server;
mod services;
mod settings;
mod state;
mod streamed_body;
#[cfg(test)]
#[path = "../../../tests/e2e/src/update.rs"]
mod update;
mod window;

pub use app::{app_with_endpoints, create_app};
pub use endpoint::endpoint;
pub use envelope::success;
pub use error::ApiError;
pub use guarded_clock::GuardedClock;
pub use key_uses::KeyUses;
pub use limits::{Limiter, MonotonicClock, Network, RateLimitState, RateLimited, RateLimiters};
pub use metrics::Metrics;
pub use middleware::RequestId;
pub use protocol::serve_public_connection;
pub use server::serve_public;
pub use services::{Ports, Services};
pub use settings::{ForwardingHeader, HttpSettings, LimitSettings, Listeners};
pub use state::AppState;
