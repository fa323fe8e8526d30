//! Holders of keys, read once and remembered.

use crate::Batch;
use crate::record::KeyPlace;
use crate::step::{Step, touches};
use crate::table::{self, HOLDERS, Tenant};
use crate::typed::ReadRecords;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use voight_domain::ports::StoreError;
use voight_domain::registry::KeyHolder;
use voight_domain::secrets::KeyDigest;

/// The most holders remembered. When they are exceeded all are forgotten: simple, and reading one again is cheap.
const CAPACITY: usize = 4096;

/// A holder with its client's number.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Held {
    pub(super) tenant: Tenant,
    pub(super) holder: KeyHolder,
}

/// Remembers the holders of key digests. Any write to a table they are read from makes it forget them all, before the
/// write is acknowledged.
#[derive(Debug, Default)]
pub(super) struct Holders {
    known: Mutex<Known>,
}

#[derive(Debug, Default)]
struct Known {
    holders: HashMap<KeyDigest, Arc<Held>>,
    /// Raised at every forgetting. What was read before one is not remembered after it.
    age: u64,
}

impl Holders {
    /// The holder as committed; `read` reads it from a snapshot that is taken when it is called.
    pub(super) fn committed(
        &self,
        digest: KeyDigest,
        read: impl FnOnce() -> Result<Option<Held>, StoreError>,
    ) -> Result<Option<Arc<Held>>, StoreError> {
        let (known, age) = self.known(digest);
        if known.is_some() {
            return Ok(known);
        }
        let held = read()?.map(Arc::new);
        if let Some(held) = &held {
            self.remember(digest, held, age);
        }
        Ok(held)
    }

    /// The holder as a step sees it. What the step's group has changed is not committed yet and is not remembered.
    pub(super) fn in_step(&self, step: &Step<'_>, digest: KeyDigest) -> Result<Option<Arc<Held>>, StoreError> {
        if step.touches(HOLDERS) {
            return Ok(read_holder(step, digest)?.map(Arc::new));
        }
        self.committed(digest, || read_holder(step, digest))
    }

    /// Forgets everything if the batch wrote to a table that holders are read from.
    pub(super) fn forget(&self, batch: &Batch) {
        if touches(batch, HOLDERS) {
            let mut known = self.lock();
            known.holders.clear();
            known.age += 1;
        }
    }

    fn known(&self, digest: KeyDigest) -> (Option<Arc<Held>>, u64) {
        let known = self.lock();
        (known.holders.get(&digest).map(Arc::clone), known.age)
    }

    fn remember(&self, digest: KeyDigest, held: &Arc<Held>, age: u64) {
        let mut known = self.lock();
        if known.age != age {
            return;
        }
        if known.holders.len() >= CAPACITY {
            known.holders.clear();
        }
        known.holders.insert(digest, Arc::clone(held));
    }

    fn lock(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The key one of whose secrets has this digest, with its client.
pub(super) fn read_holder(view: &impl ReadRecords, digest: KeyDigest) -> Result<Option<Held>, StoreError> {
    let Some(KeyPlace { tenant, key }) = view.fetch(&table::key_digest(digest))? else { return Ok(None) };
    let Some(key) = view.fetch(&table::key(tenant, key))? else { return Ok(None) };
    let Some(client) = view.fetch(&table::client(key.client))? else { return Ok(None) };
    Ok(Some(Held { tenant, holder: KeyHolder { key, client: client.client } }))
}
