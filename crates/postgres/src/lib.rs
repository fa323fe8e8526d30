#![doc = include_str!("../README.md")]

mod background_jobs;
mod batch;
mod batch_queue;
mod blocking_connection;
mod common;
mod connect;
mod connection;
mod dump;
mod error;
mod evidence_shares;
mod key_cache;
mod leader_lease;
mod pipeline;
mod ports;
mod schema;
mod sql;
mod store;
mod tables;
mod task_runtime;
mod transaction_runner;
mod value;
mod workers;

pub use connect::{OpenError, PostgresUrl, PostgresUrlError};
pub use dump::{
    ConcurrentWrites, Moment, RecordVisitor, StagedRestore, StoreIdentity, StoreSnapshot,
};
pub use schema::{PendingMigration, Schema};
pub use sql::tables::Distribution;
pub use store::{PostgresOptions, PostgresStore, open};
pub use tables::{distribute, migrate, pending_migrations};
