#![doc = include_str!("../README.md")]

mod atomic_file;
mod batch;
mod blocks;
pub mod checksum;
mod chunked_vec;
mod engine;
mod free_space;
mod key_value;
mod merge;
mod open_error;
mod paths;
mod persistent_engine;
mod recorded_lookups;
mod stopwatch;
mod store_error;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
mod wal;

pub use atomic_file::{AtomicFile, create_private, open_private, sync_folder_of};
pub use batch::Batch;
pub use blocks::{BlockEngine, BlockSnapshot};
pub use engine::{Engine, EngineError, EntryVisitor, Order, Read};
pub use free_space::has_free_space;
pub use open_error::OpenError;
pub use persistent_engine::PersistentEngine;
pub use wal::{Wal, WalSnapshot};

/// Items for the store above an engine. An engine uses none of them.
pub mod store {
    pub use crate::atomic_file::replace_file;
    pub use crate::batch::{Change, Changes, changes_in_range};
    pub use crate::free_space::free_bytes;
    pub use crate::key_value::KeyValue;
    pub use crate::merge::{PendingChanges, visit_merged};
    pub use crate::paths::{wal_path, with_suffix};
    pub use crate::recorded_lookups::{LookupIdempotency, RecordedLookup};
    pub use crate::stopwatch::Stopwatch;
}
