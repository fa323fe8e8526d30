//! Append log as an engine.

use super::log::{Log, Map};
use std::ops::{Bound, ControlFlow};
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};
use voight_engine::{
    Batch, Engine, EngineError, EntryVisitor, OpenError, Order, PersistentEngine, Read,
};

/// Append-only log file, and an in-memory map of its entries.
pub struct AppendLog {
    log: Mutex<Log>,
    map: RwLock<Arc<Map>>,
}

impl AppendLog {
    fn log(&self) -> MutexGuard<'_, Log> {
        self.log.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Engine for AppendLog {
    type Snapshot = Snapshot;

    fn name(&self) -> &'static str {
        "append-log"
    }

    fn snapshot(&self) -> Result<Snapshot, EngineError> {
        Ok(Snapshot(Arc::clone(
            &self.map.read().unwrap_or_else(PoisonError::into_inner),
        )))
    }

    /// Writes the log first and the map second, so that no reader sees a write that a power cut could lose.
    fn apply(&self, batch: &Batch) -> Result<(), EngineError> {
        let mut log = self.log();
        log.append(batch)?;
        // The map is copied only while a snapshot is in use; snapshots retain their map.
        let mut map = self.map.write().unwrap_or_else(PoisonError::into_inner);
        let map = Arc::make_mut(&mut map);
        for (key, value) in batch.iter() {
            match value {
                Some(value) => map.insert(key.to_vec(), value.to_vec()),
                None => map.remove(&*key),
            };
        }
        Ok(())
    }

    /// Truncates the log after its last complete batch. The map contains no part of an incomplete batch.
    fn recover(&self) -> Result<(), EngineError> {
        Ok(self.log().cut()?)
    }
}

impl PersistentEngine for AppendLog {
    fn is_missing(path: &Path) -> Result<bool, OpenError> {
        Log::is_missing(path)
    }

    /// The map contains all entries, so the size of the page cache is ignored.
    fn open_at(path: &Path, _: usize) -> Result<Self, OpenError> {
        let (log, map) = Log::open(path)?;
        Ok(Self {
            log: Mutex::new(log),
            map: RwLock::new(Arc::new(map)),
        })
    }
}

/// Immutable map of the entries at the time of the snapshot.
pub struct Snapshot(Arc<Map>);

impl Read for Snapshot {
    fn get(&self, key: &[u8], visit: &mut dyn FnMut(&[u8])) -> Result<(), EngineError> {
        if let Some(value) = self.0.get(key) {
            visit(value);
        }
        Ok(())
    }

    fn range(
        &self,
        from: &[u8],
        to: &[u8],
        order: Order,
        visit: &mut EntryVisitor<'_>,
    ) -> Result<(), EngineError> {
        if from >= to {
            return Ok(());
        }
        let mut range = self
            .0
            .range::<[u8], _>((Bound::Included(from), Bound::Excluded(to)));
        let mut visit_entry = |(key, value): (&Vec<u8>, &Vec<u8>)| visit(key, value);
        // A visitor that stops early is no error.
        let _: ControlFlow<()> = match order {
            Order::Ascending => range.try_for_each(&mut visit_entry),
            Order::Descending => range.rev().try_for_each(&mut visit_entry),
        };
        Ok(())
    }
}
