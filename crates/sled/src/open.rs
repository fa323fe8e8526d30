//! Opens a store of two sled directories.

use crate::SledEngine;
use crate::directory::{is_missing, try_lock};
use std::any::Any;
use std::path::Path;
use std::sync::Arc;
use voight_domain::ports::{Clock, Entropy};
use voight_domain::secrets::PepperCommitment;
use voight_embedded::{EmbeddedStore, OpenError, PersistentEngine, StoreOptions};

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

/// Opens or creates the store in the directories at the path of `options`.
///
/// See [`voight_embedded::open`] for the errors; a damaged index of the log is another one. Blocking.
pub fn open(
    options: &StoreOptions,
    clock: Arc<dyn Clock>,
    entropy: &dyn Entropy,
    pepper: PepperCommitment,
) -> Result<Arc<EmbeddedStore<SledEngine>>, OpenError> {
    voight_embedded::open(options, clock, entropy, pepper)
}
