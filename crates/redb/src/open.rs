//! Opens a redb file as an engine of a store.

use crate::RedbEngine;
use crate::engine::is_missing;
use std::path::Path;
use voight_engine::{BlockEngine, EngineError, OpenError, PersistentEngine, Wal};

/// Engine of stores on redb: a redb file with ledger rows in blocks, and a write-ahead log.
pub type WalRedb = Wal<BlockEngine<RedbEngine>>;

impl PersistentEngine for RedbEngine {
    fn is_missing(path: &Path) -> Result<bool, OpenError> {
        is_missing(path)
    }

    fn open_at(path: &Path, cache_bytes: usize) -> Result<Self, OpenError> {
        Self::open(path, cache_bytes)
    }

    fn open_read_only(path: &Path, cache_bytes: usize) -> Result<Self, OpenError> {
        Self::open_read_only(path, cache_bytes)
    }

    fn check_structure(&mut self) -> Result<(), EngineError> {
        self.check()
    }

    fn compact(&mut self) -> Result<(), EngineError> {
        self.shrink()
    }
}
