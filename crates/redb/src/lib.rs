#![doc = include_str!("../README.md")]

mod copy_on_write;
mod engine;
mod error;
mod open;
mod partial_file;

pub use engine::RedbEngine;
pub use open::WalRedb;
pub use redb::StorageBackend;
