#![doc = include_str!("../README.md")]

mod background;
mod batch;
mod connect;
mod error;
mod evidence_shares;
mod gather;
mod holders;
mod line;
mod pipeline;
mod ports;
mod schema;
mod shared;
mod sql;
mod step;
mod store;
mod tables;
mod transaction;
mod turn;
mod upkeep;
mod value;
mod whole;
mod workers;

pub use connect::{OpenError, PostgresUrl, PostgresUrlError};
pub use schema::{Distribution, PendingMigration, Schema};
pub use store::{PostgresOptions, PostgresStore, open};
pub use tables::{distribute, migrate, migrate_to};
pub use whole::{Moment, RecordVisitor, StagedRestore, StoreIdentity, StoreSnapshot};
