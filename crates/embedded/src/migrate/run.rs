//! Runs one migration over its table.

use super::{Migration, OutdatedStore};
use crate::scan_batch::scan_batch;
use crate::write_transaction::WriteTransaction;
use crate::{Batch, DatabaseKind, Engine, OpenError, StorePaths};
use voight_domain::ports::StoreError;

/// Number of batches between two progress messages.
const LOG_EVERY_BATCHES: u64 = 20;

/// Migrates every record of the migration's table, `records` per commit.
pub(super) fn run<E: Engine>(
    migration: &Migration,
    store: &OutdatedStore<'_, E>,
    records: usize,
) -> Result<(), OpenError> {
    let paths = StorePaths::for_store(store.path);
    let (engine, place) = if DatabaseKind::Main.has(migration.table) {
        (store.main, paths.main)
    } else {
        (store.evidence, paths.evidence)
    };
    tracing::info!(table = migration.table.name(), "{}", migration.description);
    let mut next = vec![migration.table as u8];
    let (mut slices, mut seen) = (0, 0);
    loop {
        let rewritten = rewrite(migration, engine, store.main, &next, records);
        let rewritten = rewritten.map_err(|error| OpenError::of_store(place.display(), error))?;
        let Some((last, count)) = rewritten else { return Ok(()) };
        next = last;
        next.push(0);
        seen += count;
        slices += 1;
        if slices % LOG_EVERY_BATCHES == 0 {
            tracing::info!(records = seen, table = migration.table.name(), "still at it");
        }
    }
}

/// Migrates up to `records` records from `next` on in one commit. Returns the key of the last one and their number;
/// `None` at the end of the table.
fn rewrite<E: Engine>(
    migration: &Migration,
    engine: &E,
    main: &E,
    next: &[u8],
    records: usize,
) -> Result<Option<(Vec<u8>, usize)>, StoreError> {
    let (view, main) = (engine.snapshot()?, main.snapshot()?);
    let mut entries = Vec::new();
    scan_batch(&view, (next, &[migration.table as u8 + 1]), records, &mut entries)?;
    let written = Batch::default();
    let mut step = WriteTransaction::new(&view, &written);
    for (key, value) in &entries {
        (migration.rewrite)(&mut step, &main, key, value)?;
    }
    let batch = step.into_batch();
    if !batch.is_empty() {
        engine.apply(&batch)?;
    }
    let count = entries.len();
    Ok(entries.into_iter().next_back().map(|(last, _)| (last, count)))
}
