#![doc = include_str!("../README.md")]

mod batch;
mod compact;
mod disk;
mod draft;
mod dump;
mod embedded;
mod engine;
mod envelope;
mod existing;
mod filling;
mod identity;
mod last_round;
mod logged;
mod merge;
mod migrate;
mod open;
mod record;
mod restore;
mod rewrite;
mod slice;
mod staging;
mod step;
mod table;
mod typed;
mod verify;
mod writer;

pub use batch::Batch;
pub use compact::compact;
pub use disk::{DiskMonitor, disk_bytes, has_free_space, last_modified};
pub use draft::{AtomicFile, create_private, open_private};
pub use dump::{
    DUMP_VERSION, DumpEntry, DumpError, DumpReader, DumpSummary, DumpWriter, read_dump, timestamp_for_file_name,
    write_dump,
};
pub use embedded::{EmbeddedStore, StoreParts};
pub use engine::{Engine, EngineError, EntryVisitor, Order, Read};
pub use existing::{OfflineStore, StorePaths};
pub use identity::{
    FORMAT, Identity, IdentityInit, OpenError, Sidecar, attach_database, load_or_create, sync_folder_of,
};
pub use last_round::ScrubStateFile;
pub use logged::{Wal, WalSnapshot};
pub use migrate::{MigrateRecord, MigratedRecords, Migration, Migrations};
pub use open::{PersistentEngine, StoreOptions, open, open_with_migrations};
pub use restore::{RestoreError, dump_store, restore};
pub use rewrite::reencode;
pub use table::Table;
pub use verify::{Damage, DatabaseKind, TableReport, Verifier, VerifyReport, count_rows, verify};

// The unit tests share the map engine of the contract suite, which refers to this crate by its external name.
#[cfg(test)]
extern crate self as voight_store;
#[cfg(test)]
#[path = "../tests/filled/mod.rs"]
mod filled;
#[cfg(test)]
#[path = "../tests/made_up_formats/mod.rs"]
mod made_up_formats;
#[cfg(test)]
#[path = "../tests/map_engine/mod.rs"]
mod map_engine;
#[cfg(test)]
mod testing;
