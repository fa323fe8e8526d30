//! Interface of an engine that stores its data in files.

use crate::{Engine, EngineError, OpenError};
use std::any::Any;
use std::path::Path;

/// Engine that stores its data at a path.
pub trait PersistentEngine: Engine + Sized {
    /// Returns `true` if `path` is missing or holds a database that was never written to. Anything but a database of
    /// this kind is an error and is not modified.
    fn is_missing(path: &Path) -> Result<bool, OpenError>;

    /// Opens or creates the database at `path` with a page cache of `cache_bytes`.
    fn open_at(path: &Path, cache_bytes: usize) -> Result<Self, OpenError>;

    /// Opens the existing database at `path` without writing to it, as far as this kind of database allows.
    fn open_read_only(path: &Path, cache_bytes: usize) -> Result<Self, OpenError> {
        Self::open_at(path, cache_bytes)
    }

    /// Opens or creates the database at `path` to load it with large batches, before any other use.
    fn open_for_bulk_load(path: &Path, cache_bytes: usize) -> Result<Self, OpenError> {
        Self::open_at(path, cache_bytes)
    }

    /// Verifies the engine's own structure. Blocks while it reads the whole database.
    fn check_structure(&mut self) -> Result<(), EngineError> {
        Ok(())
    }

    /// Closes the database at `path`, so that its files are no longer written. No process can open them while the
    /// returned value exists.
    fn close_and_lock(self, _path: &Path) -> Result<Box<dyn Any>, OpenError> {
        Ok(Box::new(self))
    }

    /// Returns unused space to the file system, as far as this kind of database can.
    fn compact(&mut self) -> Result<(), EngineError> {
        Ok(())
    }
}
