//! Runs one migration over its table.

use super::{MigratedRecords, Migration, OutdatedStore};
use crate::read_records::corrupt_record;
use crate::scan_batch::scan_batch;
use crate::{DatabaseKind, StorePaths};
use voight_domain::ports::StoreError;
use voight_engine::{Engine, OpenError, checksum};

/// Number of batches between two progress messages.
const LOG_EVERY_BATCHES: u64 = 20;

/// Migrates every record of the migration's table, `records` per commit.
pub(super) fn migrate_table<E: Engine>(
    migration: &Migration,
    store: &OutdatedStore<'_, E>,
    records: usize,
) -> Result<(), OpenError> {
    let paths = StorePaths::for_store(store.path);
    let (engine, path) = if DatabaseKind::Main.has(migration.table) {
        (store.main, paths.main)
    } else {
        (store.evidence, paths.evidence)
    };
    tracing::info!(
        event = "table_migration_started",
        table = migration.table.name(),
        description = migration.description,
        "migrating a table"
    );
    let mut next = vec![migration.table as u8];
    let mut batches = 0;
    let mut migrated_records = 0;
    loop {
        let batch = migrate_batch(migration, engine, store.main, &next, records);
        let batch = batch.map_err(|error| OpenError::from_store(path.display(), error))?;
        let Some((last, count)) = batch else {
            return Ok(());
        };
        next = last;
        next.push(0);
        migrated_records += count;
        batches += 1;
        if batches % LOG_EVERY_BATCHES == 0 {
            tracing::info!(
                event = "records_migrated",
                records = migrated_records,
                table = migration.table.name(),
                "migration in progress"
            );
        }
    }
}

/// Migrates up to `records` records from `next` on in one commit. Returns the key of the last one and their number;
/// `None` at the end of the table.
fn migrate_batch<E: Engine>(
    migration: &Migration,
    engine: &E,
    main: &E,
    next: &[u8],
    records: usize,
) -> Result<Option<(Vec<u8>, usize)>, StoreError> {
    let view = engine.snapshot()?;
    let main = main.snapshot()?;
    let mut entries = Vec::new();
    scan_batch(
        &view,
        next..&[migration.table as u8 + 1],
        records,
        &mut entries,
    )?;
    let mut changes = MigratedRecords::default();
    for (key, value) in &entries {
        let corrupt = || corrupt_record(migration.table.name(), key, "the checksum is wrong");
        let record = checksum::verify(key, value).ok_or_else(corrupt)?;
        (migration.migrate)(key, record, &main, &mut changes)?;
    }
    if !changes.0.is_empty() {
        engine.apply(&changes.0)?;
    }
    let count = entries.len();
    Ok(entries
        .into_iter()
        .next_back()
        .map(|(last, _)| (last, count)))
}
