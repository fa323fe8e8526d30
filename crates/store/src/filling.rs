//! A new database that is filled from another one or from a backup.

use crate::record::Encode;
use crate::staging::CACHE_BYTES;
use crate::{Batch, Identity, OpenError, PersistentEngine, envelope, table};
use std::path::Path;

/// The most that waits in memory for a commit.
const BATCH_BYTES: usize = 1 << 20;

/// A database that is being filled.
pub(crate) struct BulkLoader<E> {
    engine: E,
    place: String,
    batch: Batch,
    bytes: usize,
}

impl<E: PersistentEngine> BulkLoader<E> {
    /// Creates it, with the identity of its store.
    pub(crate) fn start(path: &Path, identity: &Identity) -> Result<Self, OpenError> {
        let engine = E::open_for_bulk_load(path, CACHE_BYTES)?;
        let mut filling = Self { engine, place: path.display().to_string(), batch: Batch::default(), bytes: 0 };
        let key = table::identity().key;
        let value = envelope::with_checksum(&key, identity.encode());
        filling.batch.put(key, value);
        Ok(filling)
    }

    /// Adds an entry; some wait in memory for [`commit`](Self::commit).
    pub(crate) fn add(&mut self, key: Vec<u8>, value: Vec<u8>) -> Result<(), OpenError> {
        self.bytes += key.len() + value.len();
        self.batch.put(key, value);
        if self.bytes < BATCH_BYTES { Ok(()) } else { self.commit() }
    }

    /// Makes everything that was added durable.
    pub(crate) fn commit(&mut self) -> Result<(), OpenError> {
        self.bytes = 0;
        let batch = std::mem::take(&mut self.batch);
        self.engine.apply(&batch).map_err(|error| OpenError::io(&self.place, error))
    }

    /// Makes everything durable in the database alone, and closes it.
    pub(crate) fn close(mut self, path: &Path) -> Result<(), OpenError> {
        self.commit()?;
        self.engine.close_and_lock(path).map(drop)
    }

    /// The database.
    pub(crate) fn into_engine(self) -> E {
        self.engine
    }
}
