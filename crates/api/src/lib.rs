#![doc = include_str!("../README.md")]

pub mod admin;
mod admin_token;
mod error_table;
mod jwk;
pub mod ledger_export;
pub mod openapi;
pub mod proof;
pub mod public;
pub mod route;
mod score;
mod text;
pub mod usage_formats;
mod wire_enum;

pub use admin_token::{AdminTokenError, AdminTokenSecret};
pub use error_table::{Api, ErrorId, ErrorSpec, Retry};
pub use jwk::{KeySet, PublicJwk};
pub use score::serialize_score;
