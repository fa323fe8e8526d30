//! Plain map as an engine.

use crate::{Batch, Engine, EngineError, EntryVisitor, Order, Read};
use std::collections::BTreeMap;
use std::ops::{Bound, ControlFlow};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Entries of a map engine.
pub type Map = BTreeMap<Vec<u8>, Vec<u8>>;

/// Map engine. Clones share the map, so that a test can inspect it and open it again.
#[derive(Debug, Clone, Default)]
pub struct MapEngine(Arc<Mutex<Arc<Map>>>);

impl MapEngine {
    /// Returns all entries.
    pub fn entries(&self) -> Arc<Map> {
        Arc::clone(&self.lock())
    }

    /// Modifies the entries without the store's knowledge.
    pub fn tamper(&self, change: impl FnOnce(&mut Map)) {
        change(Arc::make_mut(&mut self.lock()));
    }

    fn lock(&self) -> MutexGuard<'_, Arc<Map>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Engine for MapEngine {
    type Snapshot = Snapshot;

    fn name(&self) -> &'static str {
        "map"
    }

    fn snapshot(&self) -> Result<Snapshot, EngineError> {
        Ok(Snapshot(self.entries()))
    }

    fn apply(&self, batch: &Batch) -> Result<(), EngineError> {
        self.tamper(|map| {
            for (key, value) in batch.iter() {
                match value {
                    Some(value) => map.insert(key.to_vec(), value.to_vec()),
                    None => map.remove(&*key),
                };
            }
        });
        Ok(())
    }

    fn recover(&self) -> Result<(), EngineError> {
        Ok(())
    }
}

/// Snapshot of the map.
#[derive(Debug)]
pub struct Snapshot(Arc<Map>);

impl From<Map> for Snapshot {
    fn from(map: Map) -> Self {
        Self(Arc::new(map))
    }
}

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
        let mut show = |(key, value): (&Vec<u8>, &Vec<u8>)| visit(key, value);
        let _: ControlFlow<()> = match order {
            Order::Ascending => range.try_for_each(&mut show),
            Order::Descending => range.rev().try_for_each(&mut show),
        };
        Ok(())
    }
}
