//! Blocks: many records stored as one value.
//!
//! Ledger rows and openings arrive in the order of their keys and rarely change afterwards; idempotency records arrive
//! by the thousand in one small segment. [`BlockEngine`] stores them in blocks of at most one page, so that
//! the database inserts one value for some forty records, which share their key prefix and one checksum. Its readers see
//! single records, each with a checksum.

mod block;
mod editor;
mod region;
mod snapshot;

#[cfg(test)]
mod tests;

pub use snapshot::BlockSnapshot;

use crate::batch::{Change, Changes};
use crate::recorded_lookups::RecordCursor;
use crate::{Batch, Engine, EngineError, OpenError, PersistentEngine, checksum};
use editor::BlockEditor;
use region::Region;
use std::any::Any;
use std::path::Path;
use std::slice;

/// Number of records between two pauses.
const PAUSE_EVERY: usize = 200;

/// Engine that stores ledger rows, openings and idempotency records in blocks of another engine.
pub struct BlockEngine<E> {
    inner: E,
}

impl<E> BlockEngine<E> {
    /// Wraps an engine. Its rows, openings and idempotency records must have been written by such a wrapper.
    pub const fn new(inner: E) -> Self {
        Self { inner }
    }
}

/// Pauses after every [`PAUSE_EVERY`] records.
fn pause_after(index: usize, pause: &mut dyn FnMut()) {
    if (index + 1).is_multiple_of(PAUSE_EVERY) {
        pause();
    }
}

/// Key of a record with the encoded record, or `None` to remove it.
type RecordChange = (Vec<u8>, Option<Vec<u8>>);

impl<E: Engine> BlockEngine<E> {
    /// Returns the changes of the inner engine that have the effect of `batches`. Calls `pause` from time to time.
    fn to_blocks(&self, batches: &[Batch], pause: &mut dyn FnMut()) -> Result<Batch, EngineError> {
        // A row, an opening and an idempotency record for each lookup.
        let changes = batches
            .iter()
            .map(|batch| batch.changes().len() + 3 * batch.lookups().len())
            .sum();
        let mut records = Vec::<RecordChange>::with_capacity(changes);
        let mut unblocked_changes = Changes::new();
        for batch in batches {
            for (key, change) in batch.changes() {
                if Region::of_key(key).is_some() {
                    // The record loses its checksum, so a damaged one must not become part of a valid block.
                    let record = |value| checksum::verify(key, value).map(<[u8]>::to_vec);
                    let record = change
                        .value()
                        .map(|value| record(value).ok_or_else(|| block::corrupt(key)));
                    records.push((key.clone(), record.transpose()?));
                } else {
                    unblocked_changes.insert(key.clone(), change.clone());
                }
            }
            for (index, (key, record)) in RecordCursor::all_records(batch.lookups())
                .into_iter()
                .enumerate()
            {
                if Region::of_key(&key).is_some() {
                    records.push((key, Some(record)));
                } else {
                    let value = checksum::with_checksum(&key, record);
                    unblocked_changes.insert(key, Change::Put(value));
                }
                pause_after(index, pause);
            }
        }
        if !records.is_empty() {
            let snapshot = self.inner.snapshot()?;
            let mut editor = BlockEditor::new(&snapshot, &mut unblocked_changes);
            // The changes are a few ascending runs, which the sort merges. It is stable, so the latest change of a key is made
            // last.
            records.sort_by(|(first_key, _), (second_key, _)| first_key.cmp(second_key));
            for (index, (key, record)) in records.into_iter().enumerate() {
                editor.change(key, record)?;
                pause_after(index, pause);
            }
            editor.finish();
        }
        Ok(Batch::of_changes(unblocked_changes))
    }
}

impl<E: Engine> Engine for BlockEngine<E> {
    type Snapshot = BlockSnapshot<E::Snapshot>;

    fn name(&self) -> &'static str {
        self.inner.name()
    }

    fn snapshot(&self) -> Result<Self::Snapshot, EngineError> {
        self.inner.snapshot().map(BlockSnapshot::new)
    }

    fn apply(&self, batch: &Batch) -> Result<(), EngineError> {
        self.apply_all(slice::from_ref(batch), &mut || {})
    }

    fn apply_all(&self, batches: &[Batch], pause: &mut dyn FnMut()) -> Result<(), EngineError> {
        let blocks = self.to_blocks(batches, pause)?;
        self.inner.apply_all(slice::from_ref(&blocks), pause)
    }

    fn recover(&self) -> Result<(), EngineError> {
        self.inner.recover()
    }

    fn has_free_space(&self) -> Result<bool, EngineError> {
        self.inner.has_free_space()
    }

    fn health(&self) -> Result<(), EngineError> {
        self.inner.health()
    }
}

impl<E: PersistentEngine> PersistentEngine for BlockEngine<E> {
    fn is_missing(path: &Path) -> Result<bool, OpenError> {
        E::is_missing(path)
    }

    fn open_at(path: &Path, cache_bytes: usize) -> Result<Self, OpenError> {
        E::open_at(path, cache_bytes).map(Self::new)
    }

    fn open_read_only(path: &Path, cache_bytes: usize) -> Result<Self, OpenError> {
        E::open_read_only(path, cache_bytes).map(Self::new)
    }

    fn open_for_bulk_load(path: &Path, cache_bytes: usize) -> Result<Self, OpenError> {
        E::open_for_bulk_load(path, cache_bytes).map(Self::new)
    }

    fn check_structure(&mut self) -> Result<(), EngineError> {
        self.inner.check_structure()
    }

    fn close_and_lock(self, path: &Path) -> Result<Box<dyn Any>, OpenError> {
        self.inner.close_and_lock(path)
    }

    fn compact(&mut self) -> Result<(), EngineError> {
        self.inner.compact()
    }
}
