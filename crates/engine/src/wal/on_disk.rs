//! Persistent engine with its write-ahead log in a file next to it.

use super::{WAL_BYTES, Wal};
use crate::paths::wal_path;
use crate::{EngineError, OpenError, PersistentEngine};
use std::any::Any;
use std::path::Path;
use std::sync::Arc;

impl<E: PersistentEngine> Wal<E> {
    /// Returns the engine, which must have no other user: it was opened read-only, or is closed.
    fn engine_mut(&mut self) -> Result<&mut E, EngineError> {
        let core = Arc::get_mut(&mut self.shared);
        Ok(&mut core
            .ok_or_else(|| EngineError::Io("the database is in use".into()))?
            .engine)
    }
}

impl<E: PersistentEngine> PersistentEngine for Wal<E> {
    fn is_missing(path: &Path) -> Result<bool, OpenError> {
        E::is_missing(path)
    }

    fn open_at(path: &Path, cache_bytes: usize) -> Result<Self, OpenError> {
        Self::open(E::open_at(path, cache_bytes)?, &wal_path(path), WAL_BYTES)
    }

    fn open_read_only(path: &Path, cache_bytes: usize) -> Result<Self, OpenError> {
        Self::open_read_only(
            E::open_read_only(path, cache_bytes)?,
            &wal_path(path),
            WAL_BYTES,
        )
    }

    /// Batches bypass the log: it would be larger than many a database, and a bulk load does not need it.
    fn open_for_bulk_load(path: &Path, cache_bytes: usize) -> Result<Self, OpenError> {
        let wal = Self::open_at(path, cache_bytes)?;
        wal.writing().bypasses_log = true;
        Ok(wal)
    }

    fn check_structure(&mut self) -> Result<(), EngineError> {
        self.engine_mut()?.check_structure()
    }

    fn close_and_lock(self, path: &Path) -> Result<Box<dyn Any>, OpenError> {
        let io_error = |error| OpenError::io(path.display(), error);
        self.close().map_err(io_error)?;
        let core = Arc::clone(&self.shared);
        drop(self);
        let core = Arc::into_inner(core)
            .ok_or_else(|| io_error(EngineError::Io("the database is in use".into())))?;
        core.engine.close_and_lock(path)
    }

    /// Compacts the engine after closing the log. Nothing can be written afterwards.
    fn compact(&mut self) -> Result<(), EngineError> {
        self.close()?;
        self.engine_mut()?.compact()
    }
}
