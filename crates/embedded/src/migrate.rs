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
mod table;

#[cfg(test)]
mod tests;

use crate::identity::FIRST_FORMAT;
use crate::table::Table;
use crate::{Batch, Engine, Identity, OpenError, Read, Sidecar, StorePaths, checksum, identity};
use std::path::Path;
use voight_domain::ports::StoreError;
use voight_domain::vocabulary::Timestamp;

/// Number of records per commit.
const MIGRATION_BATCH: usize = 1000;

/// Function that migrates one record of a table: the key, the encoded record, and a view of the main database.
///
/// It is called again for a record that it has migrated before, if the process was killed meanwhile, and then must
/// write nothing.
pub type MigrateRecord =
    fn(key: &[u8], record: &[u8], main: &dyn Read, changes: &mut MigratedRecords) -> Result<(), StoreError>;

/// Migration of the record format from one version to the next. A released migration is never changed.
#[derive(Debug, Clone, Copy)]
pub struct Migration {
    /// Format before the migration.
    pub from: u32,
    /// Description of the change, for the log.
    pub description: &'static str,
    /// Table whose records are migrated.
    pub table: Table,
    /// Function that migrates one record.
    pub migrate: MigrateRecord,
}

/// Migrations of a release, oldest first.
#[derive(Debug, Clone, Copy)]
pub struct Migrations(&'static [Migration]);

impl Migrations {
    /// Migrations of this release. There are none: it writes the first format.
    pub const RELEASED: Self = Self::new(&[]);

    /// Creates the list of migrations.
    ///
    /// # Panics
    ///
    /// If a migration does not begin with the format to which the previous one leads.
    pub const fn new(migrations: &'static [Migration]) -> Self {
        let mut rest = migrations;
        while let [first, others @ ..] = rest {
            if let [second, ..] = others {
                assert!(second.from == first.from + 1, "a format is left out");
            }
            rest = others;
        }
        Self(migrations)
    }

    /// Returns the format of the release, to which the last migration leads.
    pub const fn format(self) -> u32 {
        match self.0 {
            [.., last] => last.from + 1,
            [] => FIRST_FORMAT,
        }
    }
}

/// Records that a migration writes and removes, in the database of the migrated table.
#[derive(Debug, Default)]
pub struct MigratedRecords(Batch);

impl MigratedRecords {
    /// Writes an encoded record.
    pub fn put(&mut self, key: Vec<u8>, record: Vec<u8>) {
        let value = checksum::with_checksum(&key, record);
        self.0.put(key, value);
    }

    /// Removes the record at `key`.
    pub fn remove(&mut self, key: Vec<u8>) {
        self.0.remove(key);
    }
}

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
pub(crate) fn migrate<E: Engine>(store: &OutdatedStore<'_, E>, now: Timestamp) -> Result<Identity, OpenError> {
    let (path, from, to) = (store.path.display(), store.identity.format(), store.migrations.format());
    let sidecar = Sidecar::for_store(store.path);
    if sidecar.read(to)?.is_some_and(|known| known.format() > from) {
        tracing::info!(store = %path, from, to, "continuing the migration of the store");
    } else {
        tracing::info!(store = %path, from, to, "migrating the store; writing a backup first");
        let backup = backup::write_backup(store, now)?;
        tracing::info!(backup = %backup.display(), "backup written and verified");
        sidecar.write(&store.identity.in_format(to))?;
    }
    let identity = run_all(store, MIGRATION_BATCH)?;
    tracing::info!(store = %path, format = identity.format(), "store migrated");
    Ok(identity)
}

fn run_all<E: Engine>(store: &OutdatedStore<'_, E>, batch: usize) -> Result<Identity, OpenError> {
    let paths = StorePaths::for_store(store.path);
    let mut identity = store.identity;
    for migration in store.migrations.0.iter().skip_while(|migration| migration.from < store.identity.format()) {
        table::migrate_table(migration, store, batch)?;
        identity = identity.in_format(migration.from + 1);
        identity::write(store.evidence, &identity, &paths.evidence.display().to_string())?;
        identity::write(store.main, &identity, &paths.main.display().to_string())?;
    }
    Ok(identity)
}
