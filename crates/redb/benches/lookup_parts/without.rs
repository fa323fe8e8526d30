//! Engine that discards one table.

use voight_embedded::{Batch, Engine, EngineError};
use voight_encoding::keyspace::Table;
use voight_redb::RedbEngine;

/// redb engine that discards writes to one table. Every batch is copied, even if no change is discarded, so that the
/// copy does not affect the comparison.
pub(crate) struct TableFilterEngine {
    pub(crate) engine: RedbEngine,
    pub(crate) table: Option<Table>,
}

impl Engine for TableFilterEngine {
    type Snapshot = <RedbEngine as Engine>::Snapshot;

    fn name(&self) -> &'static str {
        self.engine.name()
    }

    fn snapshot(&self) -> Result<Self::Snapshot, EngineError> {
        self.engine.snapshot()
    }

    fn apply(&self, batch: &Batch) -> Result<(), EngineError> {
        let is_kept = |key: &[u8]| self.table.is_none_or(|table| Table::of_key(key) != Some(table));
        let kept: Batch = batch.iter().filter(|(key, _)| is_kept(key)).collect();
        self.engine.apply(&kept)
    }

    fn recover(&self) -> Result<(), EngineError> {
        self.engine.recover()
    }
}
