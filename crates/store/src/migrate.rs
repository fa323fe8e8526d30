//! Bringing a store of an older format to the one of this release, when it is opened.
//!
//! Whatever a crash leaves half-done is finished at the next opening:
//!
//! 1. The store is backed up beside its place, and the backup is read back. Until then nothing is changed.
//! 2. The sidecar takes the new format, so that an older release refuses what it would take for damage. It also says that
//!    there is a backup.
//! 3. Each migration goes through a table in slices, and skips records that it has rewritten already.
//! 4. The identities take the new format, that of the main database last.

mod audit_chain;
mod backup;
mod claims_in_runs;
mod detection;
mod ended_periods;
mod evidence_ends;
mod run;

#[cfg(test)]
mod tests;

use crate::step::WriteTransaction;
use crate::table::Table;
use crate::{Engine, FORMAT, Identity, OpenError, Read, Sidecar, StorePaths, identity};
use std::path::Path;
use voight_domain::ports::StoreError;
use voight_domain::vocabulary::Timestamp;

/// Every change of the format, oldest first. One that has been released is never changed.
const MIGRATIONS: [Migration; 5] = [
    evidence_ends::MIGRATION,
    audit_chain::MIGRATION,
    ended_periods::MIGRATION,
    detection::MIGRATION,
    claims_in_runs::MIGRATION,
];

/// Records between two commits.
const MIGRATION_BATCH: usize = 1000;

/// Rewrites the record with this key and value, and what leads to it; does nothing if that was done already. It writes to the
/// database of its table, and may read the main database besides.
type Rewrite = fn(&mut WriteTransaction<'_>, main: &dyn Read, key: &[u8], value: &[u8]) -> Result<(), StoreError>;

/// A change of the format, from one version to the next.
struct Migration {
    /// The format that it begins with.
    from: u32,
    /// What is new, for the log.
    description: &'static str,
    /// The table that it goes through.
    table: Table,
    /// Done to each of its records.
    rewrite: Rewrite,
}

/// A store of an older format that is being opened.
pub(crate) struct OutdatedStore<'a, E> {
    /// Where it is.
    pub(crate) path: &'a Path,
    /// Everything but raw evidence.
    pub(crate) main: &'a E,
    /// Raw evidence.
    pub(crate) evidence: &'a E,
    /// Who it is.
    pub(crate) identity: Identity,
}

/// Backs the store up and brings it to the format of this release; returns its identity in that format. Blocking.
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
