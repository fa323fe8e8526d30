//! Holders of keys, and their contexts, read once and remembered.

use super::remembered::TableCache;
use super::shared;
use crate::Batch;
use crate::record::{ApiKeyLocation, ContextLocation};
use crate::table::{self, API_KEY_TABLES, ClientNumber, Table};
use crate::typed::ReadRecords;
use voight_domain::ports::StoreError;
use voight_domain::registry::{Context, KeyWithClient};
use voight_domain::secrets::KeyDigest;
use voight_domain::vocabulary::ContextId;

/// A holder with its client's number.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct CachedKey {
    pub(super) tenant: ClientNumber,
    pub(super) key: KeyWithClient,
}

/// A context as lookups and batches of evidence need it.
#[derive(Debug)]
pub(super) struct CachedContext {
    pub(super) context_key: ContextLocation,
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
            keys: TableCache::for_tables(&[API_KEY_TABLES]),
            contexts: TableCache::for_tables(&[
                (Table::Context, Table::ContextIndex),
                (Table::Tombstone, Table::Tombstone),
            ]),
        }
    }
}

impl LookupCache {
    /// Forgets what the batch has changed.
    pub(super) fn invalidate(&self, batch: &Batch) {
        self.keys.invalidate(batch);
        self.contexts.invalidate(batch);
    }
}

/// The key one of whose secrets has this digest, with its client.
pub(super) fn load_key(view: &impl ReadRecords, digest: KeyDigest) -> Result<Option<CachedKey>, StoreError> {
    let Some(ApiKeyLocation { tenant, key }) = view.fetch(&table::key_digest(digest))? else { return Ok(None) };
    let Some(key) = view.fetch(&table::key(tenant, key))? else { return Ok(None) };
    let Some(client) = view.fetch(&table::client(key.client))? else { return Ok(None) };
    Ok(Some(CachedKey { tenant, key: KeyWithClient { key, client: client.client } }))
}

/// The context with this id, whosever it is.
pub(super) fn load_context(view: &impl ReadRecords, id: &ContextId) -> Result<Option<CachedContext>, StoreError> {
    let Some((place, context)) = shared::context(view, id)? else { return Ok(None) };
    let has_tombstones = !view.list(&table::tombstones(place), 1)?.is_empty();
    Ok(Some(CachedContext { context_key: place, context, has_tombstones }))
}
