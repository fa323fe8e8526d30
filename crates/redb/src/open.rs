//! Opening a store of two redb files.

use crate::RedbEngine;
use crate::engine::is_missing;
use std::path::Path;
use std::sync::Arc;
use voight_domain::ports::{Clock, Entropy};
use voight_domain::secrets::PepperCommitment;
use voight_store::{EmbeddedStore, EngineError, OpenError, PersistentEngine, StoreOptions, Wal};

/// What stores on redb are opened with: a redb file with a log in front of it.
pub type WalRedb = Wal<RedbEngine>;

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

/// Opens the store in the files at the path of `options`, or creates it where nothing is and nothing was; what is refused,
/// [`voight_store::open`] says.
///
/// Blocking.
pub fn open(
    options: &StoreOptions,
    clock: Arc<dyn Clock>,
    entropy: &dyn Entropy,
    pepper: PepperCommitment,
) -> Result<Arc<EmbeddedStore<WalRedb>>, OpenError> {
    voight_store::open(options, clock, entropy, pepper)
}
