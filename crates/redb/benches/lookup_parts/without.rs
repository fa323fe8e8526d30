//! An engine that leaves a table out.

use voight_record::ordered::Table;
use voight_redb::RedbEngine;
use voight_store::{Batch, Engine, EngineError};

/// redb, to which nothing is written of one table. Every batch is copied, also if nothing is left out of it, so that the copy
/// makes no difference.
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
