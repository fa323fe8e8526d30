#![doc = include_str!("../README.md")]

mod engine;
mod error;
mod open;
mod overlay;
mod unfinished;

pub use engine::RedbEngine;
pub use open::{WalRedb, open};
pub use redb::StorageBackend;
pub use voight_store::StoreOptions as RedbOptions;
