#![doc = include_str!("../README.md")]

mod commit_counter;
mod database;
mod directory;
mod engine;
mod error;
mod flush;
mod index;
mod layout;
mod open;
mod snapshot;
mod version;

pub use engine::SledEngine;
pub use snapshot::SledSnapshot;
