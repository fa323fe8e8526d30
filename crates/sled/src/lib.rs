#![doc = include_str!("../README.md")]

mod engine;
mod error;
mod flush;
mod folder;
mod index;
mod mark;
mod open;
mod snapshot;
mod version;

pub use engine::SledEngine;
pub use open::open;
pub use snapshot::SledSnapshot;
pub use voight_store::StoreOptions as SledOptions;
