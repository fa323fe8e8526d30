#![doc = include_str!("../README.md")]

mod bulk_load;
mod common;
mod compact;
mod database;
mod disk;
mod dump;
mod idempotency;
mod identity;
mod lookup_cache;
mod migrate;
mod offline;
mod open;
mod paths;
mod ports;
mod read_records;
mod record;
mod record_types;
mod reencode;
mod restore;
mod scan_batch;
mod scrub_history;
mod scrub_state_file;
mod scrubber;
mod staging;
mod store;
mod table;
mod table_cache;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
mod verify;
mod write_transaction;
mod writer;

pub use compact::compact;
pub use disk::{DiskMonitor, disk_bytes, last_modified};
pub use dump::{
    DUMP_VERSION, DumpEntry, DumpError, DumpReader, DumpSummary, DumpWriter, read_dump,
    timestamp_for_file_name, write_dump,
};
pub use identity::{
    FORMAT, Identity, IdentityInit, Sidecar, StoreLocation, attach_database, load_or_create,
};
pub use migrate::{MigrateRecord, MigratedRecords, Migration, Migrations};
pub use offline::OfflineStore;
pub use open::{StoreOptions, open};
pub use paths::StorePaths;
pub use reencode::reencode;
pub use restore::{RestoreError, dump_store, restore};
pub use scrub_state_file::ScrubStateFile;
pub use store::{EmbeddedStore, StoreParts};
pub use table::Table;
pub use verify::{Damage, DatabaseKind, TableReport, Verifier, VerifyReport, count_rows, verify};
