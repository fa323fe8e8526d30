//! Going through a table.

use super::{Migration, Older};
use crate::step::Step;
use crate::{Batch, Engine, EngineError, OpenError, Order, Part, Read, StorePaths};
use std::ops::ControlFlow;
use voight_domain::ports::StoreError;

/// The most bytes that a slice holds in memory, but for one record.
const SLICE_BYTES: usize = 1 << 20;
/// Slices between two signs of progress.
const SIGN_OF_PROGRESS: u64 = 20;

type Entry = (Vec<u8>, Vec<u8>);

/// Rewrites every record of the migration's table, `records` of them at a time.
pub(super) fn run<E: Engine>(migration: &Migration, store: &Older<'_, E>, records: usize) -> Result<(), OpenError> {
    let paths = StorePaths::of(store.path);
    let (engine, place) =
        if Part::Main.has(migration.table) { (store.main, paths.main) } else { (store.evidence, paths.evidence) };
    tracing::info!(table = migration.table.name(), "{}", migration.what);
    let mut next = vec![migration.table as u8];
    let (mut slices, mut seen) = (0, 0);
    loop {
        let slice = slice(migration, engine, store.main, &next, records);
        let slice = slice.map_err(|error| OpenError::of_store(place.display(), error))?;
        let Some((last, count)) = slice else { return Ok(()) };
        next = last;
        next.push(0);
        seen += count;
        slices += 1;
        if slices % SIGN_OF_PROGRESS == 0 {
            tracing::info!(records = seen, table = migration.table.name(), "still at it");
        }
    }
}

/// Rewrites the records from `next` on in one commit; the key of the last one and how many they were, `None` at the end of the
/// table.
fn slice<E: Engine>(
    migration: &Migration,
    engine: &E,
    main: &E,
    next: &[u8],
    records: usize,
) -> Result<Option<(Vec<u8>, usize)>, StoreError> {
    let (view, main) = (engine.snapshot()?, main.snapshot()?);
    let entries = entries(&view, migration, next, records)?;
    let written = Batch::default();
    let mut step = Step::over(&view, &written);
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

fn entries(view: &impl Read, migration: &Migration, next: &[u8], records: usize) -> Result<Vec<Entry>, EngineError> {
    let (mut entries, mut bytes) = (Vec::new(), 0);
    view.range(next, &[migration.table as u8 + 1], Order::Ascending, &mut |key, value| {
        bytes += key.len() + value.len();
        entries.push((key.to_vec(), value.to_vec()));
        if entries.len() < records && bytes < SLICE_BYTES { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    })?;
    Ok(entries)
}
