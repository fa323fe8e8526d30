//! Holders of keys, and their contexts, read once and remembered.

use super::remembered::Remembered;
use super::shared;
use crate::Batch;
use crate::record::{ContextPlace, KeyPlace};
use crate::table::{self, HOLDERS, Table, Tenant};
use crate::typed::ReadRecords;
use voight_domain::ports::StoreError;
use voight_domain::registry::{Context, KeyHolder};
use voight_domain::secrets::KeyDigest;
use voight_domain::vocabulary::ContextId;

/// A holder with its client's number.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Held {
    pub(super) tenant: Tenant,
    pub(super) holder: KeyHolder,
}

/// A context as lookups and batches of evidence need it.
#[derive(Debug)]
pub(super) struct Asked {
    pub(super) place: ContextPlace,
    pub(super) context: Context,
    /// Whether an erase has left anything in it: without that, no lookup has to look for it.
    pub(super) has_tombstones: bool,
}

/// What is remembered of whom lookups are made by, and of what they and checks are about.
#[derive(Debug)]
pub(super) struct Holders {
    pub(super) keys: Remembered<KeyDigest, Held>,
    pub(super) contexts: Remembered<ContextId, Asked>,
}

impl Default for Holders {
    fn default() -> Self {
        Self {
            keys: Remembered::of(&[HOLDERS]),
            contexts: Remembered::of(&[(Table::Context, Table::ContextPlace), (Table::Tombstone, Table::Tombstone)]),
        }
    }
}

impl Holders {
    /// Forgets what the batch has changed.
    pub(super) fn forget(&self, batch: &Batch) {
        self.keys.forget(batch);
        self.contexts.forget(batch);
    }
}

/// The key one of whose secrets has this digest, with its client.
pub(super) fn read_holder(view: &impl ReadRecords, digest: KeyDigest) -> Result<Option<Held>, StoreError> {
    let Some(KeyPlace { tenant, key }) = view.fetch(&table::key_digest(digest))? else { return Ok(None) };
    let Some(key) = view.fetch(&table::key(tenant, key))? else { return Ok(None) };
    let Some(client) = view.fetch(&table::client(key.client))? else { return Ok(None) };
    Ok(Some(Held { tenant, holder: KeyHolder { key, client: client.client } }))
}

/// The context with this id, whosever it is.
pub(super) fn read_context(view: &impl ReadRecords, id: &ContextId) -> Result<Option<Asked>, StoreError> {
    let Some((place, context)) = shared::context(view, id)? else { return Ok(None) };
    let has_tombstones = !view.list(&table::tombstones(place), 1)?.is_empty();
    Ok(Some(Asked { place, context, has_tombstones }))
}
