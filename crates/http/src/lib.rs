#![doc = include_str!("../README.md")]

pub mod admin;
mod api;
mod app;
mod background;
mod concurrency_limit;
mod connection;
mod connection_table;
mod docs;
mod endpoint;
mod envelope;
mod error;
pub mod extract;
mod fair_queue;
mod file_body;
mod guarded_clock;
mod header_texts;
mod idempotency_lock;
mod in_flight;
mod key_memo;
mod key_uses;
mod landing;
mod limits;
mod livez;
mod metrics;
mod openapi;
mod pipeline;
mod protocol;
mod scan_pool;
mod server;
mod settings;
mod shares;
mod snapshot_jobs;
mod spool;
mod state;
mod static_file;
mod streamed_body;
mod window;

pub use app::{AppFactory, create_app};
pub use envelope::success;
pub use error::ApiError;
pub use fair_queue::FairQueue;
pub use guarded_clock::GuardedClock;
pub use key_uses::KeyUses;
pub use limits::{
    Limiter, MonotonicClock, Network, RateLimit, RateLimitState, RateLimited, RateLimiters,
};
pub use metrics::Metrics;
pub use pipeline::RequestId;
pub use protocol::serve_public_connection;
pub use server::serve_public;
pub use settings::{ForwardingHeader, HttpSettings, Listeners};
pub use snapshot_jobs::{SnapshotJob, SnapshotJobs};
pub use spool::SpoolSettings;
pub use state::{AppState, SystemPorts};
