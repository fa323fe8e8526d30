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
mod jwk;
mod limits;
mod metrics;
mod middleware;
mod openapi;
mod places;
mod server;
mod services;
mod settings;
mod state;
mod twins;
mod window;
mod written_body;

pub use create_app::{assemble, create_app};
pub use endpoint::endpoint;
pub use envelope::success;
pub use error::ApiError;
pub use error_table::{ErrorId, Row};
pub use limits::{Limited, Limiter, Limits, Measured, Network, Ticks};
pub use metrics::Metrics;
pub use middleware::RequestId;
pub use openapi::document as openapi_document;
pub use server::serve_public;
pub use services::Services;
pub use settings::{ForwardingHeader, HttpSettings, LimitSettings};
pub use state::AppState;
