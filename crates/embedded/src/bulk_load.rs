//! Bulk-loads a new database from a dump or another store.

use crate::record::Encode;
use crate::staging::CACHE_BYTES;
use crate::{Identity, table};
use std::path::Path;
use voight_engine::{Batch, OpenError, PersistentEngine, checksum};

/// Number of bytes after which a batch is committed.
const BATCH_BYTES: usize = 1 << 20;

/// Database that is being bulk-loaded.
pub(crate) struct BulkLoader<E> {
    engine: E,
    place: String,
    batch: Batch,
    bytes: usize,
}

impl<E: PersistentEngine> BulkLoader<E> {
    /// Creates the database and adds the identity of its store.
    pub(crate) fn start(path: &Path, identity: &Identity) -> Result<Self, OpenError> {
        let engine = E::open_for_bulk_load(path, CACHE_BYTES)?;
        let mut filling = Self {
            engine,
            place: path.display().to_string(),
            batch: Batch::default(),
            bytes: 0,
        };
        let key = table::identity().key;
        let value = checksum::with_checksum(&key, identity.encode());
        filling.batch.put(key, value);
        Ok(filling)
    }

    /// Adds an entry. It is buffered until the batch is large enough, or until [`commit`](Self::commit).
    pub(crate) fn add(&mut self, key: Vec<u8>, value: Vec<u8>) -> Result<(), OpenError> {
        self.bytes += key.len() + value.len();
        self.batch.put(key, value);
        if self.bytes < BATCH_BYTES {
            Ok(())
        } else {
            self.commit()
        }
    }

    /// Makes all added entries durable.
    pub(crate) fn commit(&mut self) -> Result<(), OpenError> {
        self.bytes = 0;
        let batch = std::mem::take(&mut self.batch);
        self.engine
            .apply(&batch)
            .map_err(|error| OpenError::io(&self.place, error))
    }

    /// Makes all added entries durable in the database itself, without a log, and closes it.
    pub(crate) fn close(mut self, path: &Path) -> Result<(), OpenError> {
        self.commit()?;
        self.engine.close_and_lock(path).map(drop)
    }

    /// Returns the database.
    pub(crate) fn into_engine(self) -> E {
        self.engine
    }
}
