//! Opens a store of two redb files.

use crate::RedbEngine;
use crate::engine::is_missing;
use std::path::Path;
use std::sync::Arc;
use voight_domain::ports::{Clock, Entropy};
use voight_domain::secrets::PepperCommitment;
use voight_embedded::{
    BlockEngine, EmbeddedStore, EngineError, OpenError, PersistentEngine, StoreOptions, Wal,
};

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

/// Opens or creates the store in the files at the path of `options`. See [`voight_embedded::open`] for the errors.
///
/// Blocking.
pub fn open(
    options: &StoreOptions,
    clock: Arc<dyn Clock>,
    entropy: &dyn Entropy,
    pepper: PepperCommitment,
) -> Result<Arc<EmbeddedStore<WalRedb>>, OpenError> {
    voight_embedded::open(options, clock, entropy, pepper)
}
