//! Migrates a store of an older format to the format of this release when it is opened.
//!
//! Every step can be repeated after a crash; the next start continues the migration:
//!
//! 1. The store is backed up next to its files, and the backup is verified. Until then nothing is changed.
//! 2. The sidecar receives the new format, so that an older release reports a newer store and not a damaged one. The
//!    new format also records that the backup exists.
//! 3. Each migration processes a table in batches, and skips records that are already migrated.
//! 4. The identities receive the new format, the one in the main database last.

mod audit_chain;
mod backup;
mod detection;
mod ended_periods;
mod evidence_ends;
mod idempotency_segments;
mod run;

#[cfg(test)]
mod tests;

use crate::table::Table;
use crate::write_transaction::WriteTransaction;
use crate::{Engine, FORMAT, Identity, OpenError, Read, Sidecar, StorePaths, identity};
use std::path::Path;
use voight_domain::ports::StoreError;
use voight_domain::vocabulary::Timestamp;

/// All changes of the format, oldest first. A released migration is never changed.
const MIGRATIONS: [Migration; 5] = [
    evidence_ends::MIGRATION,
    audit_chain::MIGRATION,
    ended_periods::MIGRATION,
    detection::MIGRATION,
    idempotency_segments::MIGRATION,
];

/// Number of records per commit.
const MIGRATION_BATCH: usize = 1000;

/// Migrates one record and the index entries that refer to it. Does nothing if the record is already migrated. Writes
/// to the database of the record's table, and may read the main database.
type Rewrite = fn(&mut WriteTransaction<'_>, main: &dyn Read, key: &[u8], value: &[u8]) -> Result<(), StoreError>;

/// Migration of the format from one version to the next.
struct Migration {
    /// Format version before the migration.
    from: u32,
    /// Description of the change, for the log.
    description: &'static str,
    /// Table whose records are processed.
    table: Table,
    /// Function that migrates one record.
    rewrite: Rewrite,
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
}

/// Backs up the store, migrates it to this release's format, and returns the new identity. Blocking.
pub(crate) fn migrate<E: Engine>(store: &OutdatedStore<'_, E>, now: Timestamp) -> Result<Identity, OpenError> {
    let (place, from) = (store.path.display(), store.identity.format());
    let sidecar = Sidecar::for_store(store.path);
    if sidecar.read()?.is_some_and(|known| known.format() > from) {
        tracing::info!(store = %place, from, to = FORMAT, "going on to bring the store to a new format");
    } else {
        tracing::info!(store = %place, from, to = FORMAT, "bringing the store to a new format; first it is backed up");
        let backup = backup::write_backup(store, now)?;
        tracing::info!(backup = %backup.display(), "the store is backed up, and the backup is whole");
        sidecar.write(&store.identity.in_format(FORMAT))?;
    }
    let identity = run_all(store, MIGRATION_BATCH)?;
    tracing::info!(store = %place, format = identity.format(), "the store has the new format");
    Ok(identity)
}

fn run_all<E: Engine>(store: &OutdatedStore<'_, E>, slice: usize) -> Result<Identity, OpenError> {
    let paths = StorePaths::for_store(store.path);
    let mut identity = store.identity;
    for migration in MIGRATIONS.iter().skip_while(|migration| migration.from < store.identity.format()) {
        run::run(migration, store, slice)?;
        identity = identity.in_format(migration.from + 1);
        identity::write(store.evidence, &identity, &paths.evidence.display().to_string())?;
        identity::write(store.main, &identity, &paths.main.display().to_string())?;
    }
    Ok(identity)
}
