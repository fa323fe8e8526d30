//! Read-through cache, invalidated by every write to its source tables.

use crate::table::Table;
use crate::write_transaction::{WriteTransaction, changes_tables};
use foldhash::fast::RandomState;
use std::collections::HashMap;
use std::hash::Hash;
use std::ops::RangeInclusive;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use voight_domain::ports::StoreError;
use voight_engine::Batch;

/// Maximum number of cached entries. When it is reached the cache is cleared, because a re-read is cheap.
const CAPACITY: usize = 4096;

/// Caches values read from some tables. Any write to one of them clears the cache before the write is acknowledged.
#[derive(Debug)]
pub(crate) struct TableCache<K, V> {
    /// Source tables.
    tables: &'static [RangeInclusive<Table>],
    known: Mutex<CacheState<K, V>>,
}

#[derive(Debug)]
struct CacheState<K, V> {
    entries: HashMap<K, Arc<V>, RandomState>,
    /// Generation counter, incremented on every invalidation. A read that started in an older generation is not cached.
    generation: u64,
}

impl<K: Clone + Eq + Hash, V> TableCache<K, V> {
    /// Creates an empty cache for values read from `tables`.
    pub(crate) fn for_tables(tables: &'static [RangeInclusive<Table>]) -> Self {
        Self {
            tables,
            known: Mutex::new(CacheState {
                entries: HashMap::default(),
                generation: 0,
            }),
        }
    }

    /// Returns the committed value; `read` loads it from a snapshot taken during the call.
    pub(crate) fn get_or_load(
        &self,
        key: &K,
        read: impl FnOnce() -> Result<Option<V>, StoreError>,
    ) -> Result<Option<Arc<V>>, StoreError> {
        self.get_or_load_if(key, |_| true, read)
    }

    /// Returns the committed value, read by `read` if no cached one satisfies `is_accepted`.
    fn get_or_load_if(
        &self,
        key: &K,
        is_accepted: impl FnOnce(&V) -> bool,
        read: impl FnOnce() -> Result<Option<V>, StoreError>,
    ) -> Result<Option<Arc<V>>, StoreError> {
        let (cached_value, generation) = self.get(key);
        if let Some(cached_value) = cached_value.filter(|cached_value| is_accepted(cached_value)) {
            return Ok(Some(cached_value));
        }
        let loaded_value = read()?.map(Arc::new);
        if let Some(loaded_value) = &loaded_value {
            self.insert(key, loaded_value, generation);
        }
        Ok(loaded_value)
    }

    /// Returns the value as a transaction sees it. A value that the group has changed is not committed yet and is not
    /// cached.
    pub(crate) fn get_in_transaction(
        &self,
        transaction: &WriteTransaction<'_>,
        key: &K,
        read: impl FnOnce() -> Result<Option<V>, StoreError>,
    ) -> Result<Option<Arc<V>>, StoreError> {
        self.get_in_transaction_if(transaction, key, |_| true, read)
    }

    /// Returns the value as a transaction sees it, read by `read` if no cached one satisfies `is_accepted`.
    pub(crate) fn get_in_transaction_if(
        &self,
        transaction: &WriteTransaction<'_>,
        key: &K,
        is_accepted: impl FnOnce(&V) -> bool,
        read: impl FnOnce() -> Result<Option<V>, StoreError>,
    ) -> Result<Option<Arc<V>>, StoreError> {
        if self.tables.iter().any(|tables| transaction.touches(tables)) {
            return Ok(read()?.map(Arc::new));
        }
        self.get_or_load_if(key, is_accepted, read)
    }

    /// Clears the cache if the batch writes to one of its source tables.
    pub(crate) fn invalidate(&self, batch: &Batch) {
        if self
            .tables
            .iter()
            .any(|tables| changes_tables(batch.changes(), tables))
        {
            let mut cache = self.lock();
            cache.entries.clear();
            cache.generation += 1;
        }
    }

    fn get(&self, key: &K) -> (Option<Arc<V>>, u64) {
        let cache = self.lock();
        (cache.entries.get(key).map(Arc::clone), cache.generation)
    }

    fn insert(&self, key: &K, value: &Arc<V>, generation: u64) {
        let mut cache = self.lock();
        if cache.generation != generation {
            return;
        }
        if cache.entries.len() >= CAPACITY {
            cache.entries.clear();
        }
        cache.entries.insert(key.clone(), Arc::clone(value));
    }

    fn lock(&self) -> MutexGuard<'_, CacheState<K, V>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
