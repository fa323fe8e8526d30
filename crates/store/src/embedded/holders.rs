//! Holders of keys, and their contexts, read once and remembered.

use super::remembered::TableCache;
use super::shared;
use crate::Batch;
use crate::record::{ApiKeyLocation, ContextLocation};
use crate::table::{self, ClientNumber, HOLDERS, Table};
use crate::typed::ReadRecords;
use voight_domain::ports::StoreError;
use voight_domain::registry::{Context, KeyWithClient};
use voight_domain::secrets::KeyDigest;
use voight_domain::vocabulary::ContextId;

/// A holder with its client's number.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct CachedKey {
    pub(super) tenant: ClientNumber,
    pub(super) holder: KeyWithClient,
}

/// A context as lookups and batches of evidence need it.
#[derive(Debug)]
pub(super) struct CachedContext {
    pub(super) place: ContextLocation,
    pub(super) context: Context,
    /// Whether an erase has left anything in it: without that, no lookup has to look for it.
    pub(super) has_tombstones: bool,
}

/// What is remembered of whom lookups are made by, and of what they and checks are about.
#[derive(Debug)]
pub(super) struct LookupCache {
    pub(super) keys: TableCache<KeyDigest, CachedKey>,
    pub(super) contexts: TableCache<ContextId, CachedContext>,
}

impl Default for LookupCache {
    fn default() -> Self {
        Self {
            keys: TableCache::of(&[HOLDERS]),
            contexts: TableCache::of(&[(Table::Context, Table::ContextIndex), (Table::Tombstone, Table::Tombstone)]),
        }
    }
}

impl LookupCache {
    /// Forgets what the batch has changed.
    pub(super) fn forget(&self, batch: &Batch) {
        self.keys.forget(batch);
        self.contexts.forget(batch);
    }
}

/// The key one of whose secrets has this digest, with its client.
pub(super) fn read_holder(view: &impl ReadRecords, digest: KeyDigest) -> Result<Option<CachedKey>, StoreError> {
    let Some(ApiKeyLocation { tenant, key }) = view.fetch(&table::key_digest(digest))? else { return Ok(None) };
    let Some(key) = view.fetch(&table::key(tenant, key))? else { return Ok(None) };
    let Some(client) = view.fetch(&table::client(key.client))? else { return Ok(None) };
    Ok(Some(CachedKey { tenant, holder: KeyWithClient { key, client: client.client } }))
}

/// The context with this id, whosever it is.
pub(super) fn read_context(view: &impl ReadRecords, id: &ContextId) -> Result<Option<CachedContext>, StoreError> {
    let Some((place, context)) = shared::context(view, id)? else { return Ok(None) };
    let has_tombstones = !view.list(&table::tombstones(place), 1)?.is_empty();
    Ok(Some(CachedContext { place, context, has_tombstones }))
}
