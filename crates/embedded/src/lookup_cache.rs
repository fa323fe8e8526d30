//! Cache of API keys and contexts for the lookup path.

use crate::common;
use crate::read_records::ReadRecords;
use crate::record::{ApiKeyLocation, ContextLocation};
use crate::table::{self, API_KEY_TABLES, ClientNumber, Table};
use crate::table_cache::TableCache;
use voight_domain::ports::StoreError;
use voight_domain::registry::{Context, KeyWithClient};
use voight_domain::secrets::KeyDigest;
use voight_domain::vocabulary::{ContextId, KeyId};
use voight_engine::Batch;

/// Cached API key and client, with the client's number.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct CachedKey {
    pub(crate) client_number: ClientNumber,
    pub(crate) key: KeyWithClient,
}

/// Cached context, as lookups and evidence batches need it.
#[derive(Debug)]
pub(crate) struct CachedContext {
    pub(crate) context_key: ContextLocation,
    pub(crate) context: Context,
    /// `true` when the context contains tombstones. Lookups in other contexts skip reading them.
    pub(crate) has_tombstones: bool,
}

/// Caches the API keys, clients and contexts that lookups and evidence batches need. A committed write to one of these
/// tables invalidates the whole cache.
#[derive(Debug)]
pub(crate) struct LookupCache {
    pub(crate) keys: TableCache<KeyDigest, CachedKey>,
    pub(crate) contexts: TableCache<ContextId, CachedContext>,
}

impl Default for LookupCache {
    fn default() -> Self {
        Self {
            keys: TableCache::for_tables(&[API_KEY_TABLES]),
            contexts: TableCache::for_tables(&[
                Table::Context..=Table::ContextIndex,
                Table::Tombstone..=Table::Tombstone,
            ]),
        }
    }
}

impl LookupCache {
    /// Invalidates the caches whose tables the batch writes to.
    pub(crate) fn invalidate(&self, batch: &Batch) {
        self.keys.invalidate(batch);
        self.contexts.invalidate(batch);
    }
}

/// Returns the API key that has a secret with this digest, with its client.
pub(crate) fn load_key(
    view: &impl ReadRecords,
    digest: KeyDigest,
) -> Result<Option<CachedKey>, StoreError> {
    let Some(ApiKeyLocation { client_number, key }) = view.fetch(&table::key_digest(digest))?
    else {
        return Ok(None);
    };
    load_key_by_id(view, client_number, key)
}

/// Returns the API key with this id, with its client.
pub(crate) fn load_key_by_id(
    view: &impl ReadRecords,
    client_number: ClientNumber,
    key: KeyId,
) -> Result<Option<CachedKey>, StoreError> {
    let Some(key) = view.fetch(&table::key(client_number, key))? else {
        return Ok(None);
    };
    let Some(client) = view.fetch(&table::client(key.client))? else {
        return Ok(None);
    };
    Ok(Some(CachedKey {
        client_number,
        key: KeyWithClient {
            key,
            client: client.client,
        },
    }))
}

/// Returns the context with this id, whichever client owns it.
pub(crate) fn load_context(
    view: &impl ReadRecords,
    id: &ContextId,
) -> Result<Option<CachedContext>, StoreError> {
    let Some((context_key, context)) = common::context(view, id)? else {
        return Ok(None);
    };
    cached(view, context_key, context).map(Some)
}

/// Returns the context with this id if the client owns it. The context of another client takes the reads of one that does not
/// exist.
pub(crate) fn load_context_of_client(
    view: &impl ReadRecords,
    client_number: ClientNumber,
    id: &ContextId,
) -> Result<Option<CachedContext>, StoreError> {
    let Some(context) = view.fetch(&table::context(client_number, id))? else {
        return Ok(None);
    };
    cached(
        view,
        ContextLocation {
            client_number,
            number: context.number,
        },
        context,
    )
    .map(Some)
}

fn cached(
    view: &impl ReadRecords,
    context_key: ContextLocation,
    context: Context,
) -> Result<CachedContext, StoreError> {
    let has_tombstones = !view.list(&table::tombstones(context_key), 1)?.is_empty();
    Ok(CachedContext {
        context_key,
        context,
        has_tombstones,
    })
}
