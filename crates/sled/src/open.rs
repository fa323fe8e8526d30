//! Opens a sled directory as an engine of a store.

use crate::SledEngine;
use crate::directory::{is_missing, try_lock};
use std::any::Any;
use std::path::Path;
use voight_engine::{OpenError, PersistentEngine};

impl PersistentEngine for SledEngine {
    fn is_missing(path: &Path) -> Result<bool, OpenError> {
        is_missing(path)
    }

    fn open_at(path: &Path, cache_bytes: usize) -> Result<Self, OpenError> {
        Self::open(path, cache_bytes)
    }

    /// sled writes to its directory, by path, until it is closed.
    fn close_and_lock(self, path: &Path) -> Result<Box<dyn Any>, OpenError> {
        drop(self);
        match try_lock(path).map_err(|error| OpenError::io(path.display(), error))? {
            Some(log) => Ok(Box::new(log)),
            None => Err(OpenError::InUse {
                place: path.display().to_string(),
            }),
        }
    }
}
