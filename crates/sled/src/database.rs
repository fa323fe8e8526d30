//! Open database of sled, and the state that the engine and its snapshots share.

use crate::commit_counter::CommitCounter;
use crate::directory;
use crate::error::SledError;
use crate::flush::flush;
use crate::index;
use crate::layout::{SEGMENT, log_of};
use crate::version::{SnapshotVersion, UndoEntries};
use sled::{Config, Db};
use std::fs::File;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};
use voight_engine::Batch;

/// State that the engine and its snapshots share: the database, or `None` after reopening failed.
///
/// Readers hold the lock for one chunk, so they never see a partially applied batch. The writer holds it while it
/// writes to memory, and not during the sync.
#[derive(Default)]
pub(crate) struct State(RwLock<Option<OpenDatabase>>);

/// Open database.
pub(crate) struct OpenDatabase {
    pub(crate) database: Db,
    /// File of sled's log, used only for syncs.
    log: File,
    /// Number of durable batches.
    commit_counter: CommitCounter,
    /// Version after the last durable batch.
    pub(crate) current_version: Arc<SnapshotVersion>,
    /// Token that distinguishes this opening from earlier ones.
    pub(crate) opening: Arc<()>,
}

impl State {
    /// Creates the state of an open database.
    pub(crate) fn new(database: OpenDatabase) -> Self {
        Self(RwLock::new(Some(database)))
    }

    // A panic under the lock leaves no inconsistent state: a superseded version is never written again.
    pub(crate) fn read(&self) -> RwLockReadGuard<'_, Option<OpenDatabase>> {
        self.0.read().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn write(&self) -> RwLockWriteGuard<'_, Option<OpenDatabase>> {
        self.0.write().unwrap_or_else(PoisonError::into_inner)
    }
}

impl OpenDatabase {
    pub(crate) fn replaced_by(&self, batch: &Batch) -> Result<UndoEntries, SledError> {
        batch
            .iter()
            .map(|(key, _)| Ok((key.to_vec(), self.database.get(&key)?)))
            .collect()
    }

    /// Writes a batch to memory and returns the version after it. After one failure it always fails, because the state
    /// in memory is unknown.
    pub(crate) fn write(
        &self,
        batch: &Batch,
        undo_entries: UndoEntries,
    ) -> Result<Arc<SnapshotVersion>, SledError> {
        let new_version = self
            .current_version
            .supersede(undo_entries)
            .ok_or(SledError::Failed)?;
        let mut changes = sled::Batch::default();
        for (key, value) in batch.iter() {
            match value {
                Some(value) => changes.insert(&*key, &*value),
                None => changes.remove(&*key),
            }
        }
        self.database.apply_batch(changes)?;
        self.commit_counter.count()?;
        Ok(new_version)
    }

    /// Makes the last written batch visible, which must be durable.
    pub(crate) fn publish(&mut self, after: Arc<SnapshotVersion>) -> Result<(), SledError> {
        self.commit_counter.advance()?;
        self.current_version = after;
        Ok(())
    }

    pub(crate) fn flush(&self) -> Result<(), SledError> {
        flush(&self.database, &self.log)
    }
}

/// Closes the database and catches panics: sled panics when it cannot sync on close. Acknowledged writes are already
/// synced.
pub(crate) fn close(state: &mut Option<OpenDatabase>) {
    let database = state.take();
    drop(catch_unwind(AssertUnwindSafe(|| drop(database))));
}

/// Opens the directory with sled, and makes sled's changes to it durable.
pub(crate) fn start(path: &Path, cache_bytes: usize) -> Result<OpenDatabase, SledError> {
    let cache = u64::try_from(cache_bytes).unwrap_or(u64::MAX);
    // The flush thread of sled is disabled: every batch is flushed explicitly, and writes do the page maintenance.
    let config = Config::new()
        .path(path)
        .cache_capacity(cache)
        .segment_size(SEGMENT)
        .flush_every_ms(None);
    // A damaged log may trigger an assertion of sled before it yields an error.
    let database = catch_unwind(AssertUnwindSafe(|| config.open()))
        .map_err(|_| SledError::Panicked)
        .and_then(|open_result| Ok(open_result?))
        // If the file cannot be removed now, the next start removes it.
        .inspect_err(|_| drop(index::remove_partial(path)))?;
    let commit_counter = CommitCounter::open(&database, path)?;
    directory::sync(path).map_err(SledError::Sync)?;
    let log = File::open(log_of(path)).map_err(SledError::Sync)?;
    Ok(OpenDatabase {
        database,
        log,
        commit_counter,
        current_version: Arc::default(),
        opening: Arc::default(),
    })
}
