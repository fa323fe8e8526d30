#![doc = include_str!("../README.md")]

mod background;
mod batch;
mod connect;
mod error;
mod pipeline;
mod ports;
mod schema;
mod shared;
mod sql;
mod step;
mod store;
mod transaction;
mod turn;
mod upkeep;
mod value;

pub use connect::{OpenError, PostgresUrl, PostgresUrlError};
pub use store::{PostgresOptions, PostgresStore, open};
