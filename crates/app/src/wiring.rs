//! Wiring: the only module that names adapters. It selects a store by its URL, creates the services over it, and runs operations
//! on stores that no server uses. Results are plain types.

mod backup;
#[cfg(feature = "server")]
mod database;
#[cfg(feature = "server")]
mod failure;
#[cfg(not(feature = "server"))]
mod no_stores;
#[cfg(feature = "server")]
mod outbound;
#[cfg(feature = "server")]
mod services;
#[cfg(feature = "server")]
mod store_files;
#[cfg(feature = "server")]
mod store_url;

pub(crate) use backup::{BackupSummary, ContentHash, read_backup};
#[cfg(feature = "server")]
pub(crate) use database::{
    ConcurrentWrites, DistributedTable, MigrationLine, distribute_tables, dump_database,
    list_pending_migrations, migrate_tables, restore_database,
};
#[cfg(not(feature = "server"))]
pub(crate) use no_stores::{StoreUrl, describe, dump};
#[cfg(feature = "server")]
pub(crate) use services::{NewStoreFiles, has_store, wire};
#[cfg(feature = "server")]
pub(crate) use store_files::{
    DamageLine, StoreReport, check_identity, compact, describe, dump, restore, verify,
};
#[cfg(feature = "server")]
pub(crate) use store_url::{EngineKind, StoreUrl};
pub(crate) use voight_embedded::timestamp_for_file_name;
pub(crate) use voight_engine::{AtomicFile, create_private, sync_folder_of};

use voight_api::admin::TableLine;
use voight_domain::Timestamp;
use voight_domain::ports::{StoreInfo, StoreStatus};

/// Default store of a data directory.
#[cfg(feature = "server")]
pub(crate) const DEFAULT_STORE: &str = "redb:voight.redb";
/// Sidecar of the default store. A copied or restored store has it before the data directory has secrets.
pub(crate) const DEFAULT_STORE_SIDECAR: &str = "voight.redb.id";

/// Description of a store in files.
#[derive(Debug)]
pub(crate) struct StoreDescription {
    /// Description of the store.
    pub(crate) info: StoreInfo,
    /// Size of the files, free space, and last pass of the scrubber.
    pub(crate) status: StoreStatus,
    /// Tables with records.
    pub(crate) tables: Vec<TableLine>,
    /// Last modification of the files, if it can be read.
    pub(crate) files_written_at: Option<Timestamp>,
}
