#![doc = include_str!("../README.md")]

mod batch;
mod embedded;
mod engine;
mod envelope;
mod identity;
mod record;
mod step;
mod table;
mod typed;
mod writer;

pub use batch::Batch;
pub use embedded::{EmbeddedStore, Parts};
pub use engine::{Engine, EngineError, Order, Read, Visit};
pub use identity::{FORMAT, Founding, Identity, OpenError, Sidecar, establish, join, sync_folder_of};
