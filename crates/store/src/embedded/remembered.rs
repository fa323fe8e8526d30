//! Things that are read once and remembered until something of them changes.

use crate::Batch;
use crate::step::{WriteTransaction, writes_to_tables};
use crate::table::Table;
use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use voight_domain::ports::StoreError;

/// The most that is remembered. When it is exceeded all is forgotten: simple, and reading one again is cheap.
const CAPACITY: usize = 4096;

/// Remembers what was read from some tables. Any write to one of them makes it forget everything, before the write is
/// acknowledged.
#[derive(Debug)]
pub(super) struct TableCache<K, V> {
    /// Each from a first table to a last.
    tables: &'static [(Table, Table)],
    known: Mutex<CacheState<K, V>>,
}

#[derive(Debug)]
struct CacheState<K, V> {
    entries: HashMap<K, Arc<V>>,
    /// Raised at every forgetting. What was read before one is not remembered after it.
    generation: u64,
}

impl<K: Clone + Eq + Hash, V> TableCache<K, V> {
    /// Nothing yet, of what is read from these tables.
    pub(super) fn for_tables(tables: &'static [(Table, Table)]) -> Self {
        Self { tables, known: Mutex::new(CacheState { entries: HashMap::new(), generation: 0 }) }
    }

    /// The thing as committed; `read` reads it from a snapshot that is taken when it is called.
    pub(super) fn get_or_load(
        &self,
        key: &K,
        read: impl FnOnce() -> Result<Option<V>, StoreError>,
    ) -> Result<Option<Arc<V>>, StoreError> {
        let (known, age) = self.get(key);
        if known.is_some() {
            return Ok(known);
        }
        let thing = read()?.map(Arc::new);
        if let Some(thing) = &thing {
            self.insert(key, thing, age);
        }
        Ok(thing)
    }

    /// The thing as a step sees it. What the step's group has changed is not committed yet and is not remembered.
    pub(super) fn get_in_transaction(
        &self,
        step: &WriteTransaction<'_>,
        key: &K,
        read: impl FnOnce() -> Result<Option<V>, StoreError>,
    ) -> Result<Option<Arc<V>>, StoreError> {
        if self.tables.iter().any(|tables| step.touches(*tables)) {
            return Ok(read()?.map(Arc::new));
        }
        self.get_or_load(key, read)
    }

    /// Forgets everything if the batch wrote to a table that the things are read from.
    pub(super) fn invalidate(&self, batch: &Batch) {
        if self.tables.iter().any(|tables| writes_to_tables(batch, *tables)) {
            let mut known = self.lock();
            known.entries.clear();
            known.generation += 1;
        }
    }

    fn get(&self, key: &K) -> (Option<Arc<V>>, u64) {
        let known = self.lock();
        (known.entries.get(key).map(Arc::clone), known.generation)
    }

    fn insert(&self, key: &K, thing: &Arc<V>, age: u64) {
        let mut known = self.lock();
        if known.generation != age {
            return;
        }
        if known.entries.len() >= CAPACITY {
            known.entries.clear();
        }
        known.entries.insert(key.clone(), Arc::clone(thing));
    }

    fn lock(&self) -> MutexGuard<'_, CacheState<K, V>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
