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
pub use open::open;
pub use snapshot::SledSnapshot;
pub use voight_embedded::StoreOptions as SledOptions;
