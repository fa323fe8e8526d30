//! Migrates a store of an older format to the format of this release when it is opened.
//!
//! Migrations lead forward only. Each can be repeated after a crash; the next start continues the migration:
//!
//! 1. The store is backed up next to its files, and the backup is verified. Until then nothing is changed.
//! 2. The sidecar receives the new format, so that an older release reports a newer store and not a damaged one. The
//!    new format also records that the backup exists.
//! 3. Each migration processes a table in batches, and skips records that are already migrated.
//! 4. After each migration the identities receive its format, the one in the main database last.

mod backup;
mod migrations;
mod table;

#[cfg(test)]
mod tests;

pub(crate) use migrations::FIRST_FORMAT;
pub use migrations::{MigrateRecord, MigratedRecords, Migration, Migrations};

use crate::{Identity, Sidecar, StorePaths, identity};
use std::path::Path;
use voight_domain::vocabulary::Timestamp;
use voight_engine::{Engine, OpenError};

/// Number of records per commit.
const MIGRATION_BATCH: usize = 1000;

/// Store of an older format that is being opened.
pub(crate) struct OutdatedStore<'a, E> {
    /// Path of the store.
    pub(crate) path: &'a Path,
    /// Main database: everything except raw evidence.
    pub(crate) main: &'a E,
    /// Database of raw evidence.
    pub(crate) evidence: &'a E,
    /// Identity of the store before the migration.
    pub(crate) identity: Identity,
    /// Migrations of the release.
    pub(crate) migrations: Migrations,
}

/// Backs up the store, migrates it to the format of the release, and returns the new identity. Blocking.
pub(crate) fn migrate<E: Engine>(
    store: &OutdatedStore<'_, E>,
    now: Timestamp,
) -> Result<Identity, OpenError> {
    let path = store.path.display();
    let from = store.identity.format();
    let to = store.migrations.format();
    let sidecar = Sidecar::for_store(store.path);
    if sidecar
        .read(to)?
        .is_some_and(|identity| identity.format() > from)
    {
        tracing::info!(event = "migration_continued", store = %path, from, to, "continuing the migration of the store");
    } else {
        tracing::info!(
            event = "migration_started",
            store = %path,
            from,
            to,
            "migrating the store; writing a backup first"
        );
        let backup = backup::write_backup(store, now)?;
        tracing::info!(event = "migration_backup_written", backup = %backup.display(), "backup written and verified");
        sidecar.write(&store.identity.in_format(to))?;
    }
    let identity = run_all(store, MIGRATION_BATCH)?;
    tracing::info!(event = "store_migrated", store = %path, format = identity.format(), "store migrated");
    Ok(identity)
}

fn run_all<E: Engine>(store: &OutdatedStore<'_, E>, batch: usize) -> Result<Identity, OpenError> {
    let paths = StorePaths::for_store(store.path);
    let mut identity = store.identity;
    for migration in store
        .migrations
        .0
        .iter()
        .skip_while(|migration| migration.from < store.identity.format())
    {
        table::migrate_table(migration, store, batch)?;
        identity = identity.in_format(migration.from + 1);
        identity::write(
            store.evidence,
            &identity,
            &paths.evidence.display().to_string(),
        )?;
        identity::write(store.main, &identity, &paths.main.display().to_string())?;
    }
    Ok(identity)
}
