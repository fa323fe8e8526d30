//! An engine that leaves a table out.

use voight_redb::RedbEngine;
use voight_store::{Batch, Engine, EngineError};

/// redb, to which nothing is written of one table. Every batch is copied, also if nothing is left out of it, so that the copy
/// makes no difference.
pub(crate) struct Without {
    pub(crate) engine: RedbEngine,
    /// The first byte of the keys of the table.
    pub(crate) table: Option<u8>,
}

impl Engine for Without {
    type Snapshot = <RedbEngine as Engine>::Snapshot;

    fn name(&self) -> &'static str {
        self.engine.name()
    }

    fn snapshot(&self) -> Result<Self::Snapshot, EngineError> {
        self.engine.snapshot()
    }

    fn apply(&self, batch: &Batch) -> Result<(), EngineError> {
        let mut kept = Batch::default();
        for (key, value) in batch.iter().filter(|(key, _)| self.table.is_none() || key.first().copied() != self.table) {
            match value {
                Some(value) => kept.put(key.to_vec(), value.to_vec()),
                None => kept.remove(key.to_vec()),
            }
        }
        self.engine.apply(&kept)
    }

    fn recover(&self) -> Result<(), EngineError> {
        self.engine.recover()
    }
}
