//! Caches API keys with request coalescing: concurrent lookups of one key share one query.
//!
//! A request that arrives while its key is being read shares the next read, never the one in flight, so it sees every
//! change that was committed before it. A result is cached for one second for callers that only confirm a key that they
//! have.

use crate::batch::{KeyLocation, KeyLocationCache, find_location};
use crate::batch_queue::BatchQueue;
use crate::connection::Transaction;
use crate::error::Error;
use crate::sql::registry;
use crate::task_runtime::TaskRuntime;
use crate::transaction_runner::{TransactionMode, TransactionRunner};
use crate::value::{RowExt, values};
use crate::workers::Lane;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::oneshot;
use voight_domain::ports::StoreError;
use voight_domain::registry::KeyWithClient;
use voight_domain::secrets::KeyDigest;
use voight_domain::vocabulary::Timestamp;

type KeyResult = Result<Option<KeyWithClient>, StoreError>;

/// Cache of API keys with their clients, and the queue of requests for each key.
pub(crate) struct KeyCache {
    transactions: Arc<TransactionRunner>,
    key_locations: Arc<KeyLocationCache>,
    waiting: BatchQueue<KeyDigest, oneshot::Sender<KeyResult>>,
    state: Mutex<CacheState>,
}

/// Cached keys, by the digest of their secret.
#[derive(Default)]
struct CacheState {
    found: HashMap<KeyDigest, CacheEntry>,
    /// Number of invalidations. A read that began before the last invalidation is not cached.
    generation: u64,
}

/// Cached key with the time at which its read began.
struct CacheEntry {
    read_at: Timestamp,
    key: KeyWithClient,
}

/// Lifetime of a cached key. A change at one node takes effect at every other node within this time.
const CACHE_TTL: Duration = Duration::from_secs(1);
/// Maximum number of cached keys. When it is exceeded the cache is cleared, because a re-read is cheap.
const CAPACITY: usize = 16_384;

impl KeyCache {
    /// Creates an empty cache that reads by `transactions` and looks up key locations in `key_locations`.
    pub(crate) fn new(
        transactions: Arc<TransactionRunner>,
        key_locations: Arc<KeyLocationCache>,
    ) -> Self {
        Self {
            transactions,
            key_locations,
            waiting: BatchQueue::default(),
            state: Mutex::default(),
        }
    }

    /// Reads the key with this digest and its client; `None` if no key has the digest.
    pub(crate) async fn get(
        self: &Arc<Self>,
        digest: KeyDigest,
        background: &TaskRuntime,
    ) -> KeyResult {
        let (sender, receiver) = oneshot::channel();
        if self.waiting.push(digest, sender) {
            let cache = Arc::clone(self);
            background.spawn(async move { cache.run_batches(digest).await });
        }
        receiver
            .await
            .unwrap_or_else(|_| Err(StoreError::NotApplied("the call panicked".to_owned())))
    }

    /// Returns the cached key with this digest if it was read within the last second.
    pub(crate) fn get_cached(&self, digest: KeyDigest) -> Option<KeyWithClient> {
        let now = self.transactions.now();
        // An entry from the future was cached before the clock was set back, so its age is unknown.
        let is_recent = |entry: &&CacheEntry| {
            entry.read_at <= now && now.saturating_since(entry.read_at) < CACHE_TTL
        };
        self.lock()
            .found
            .get(&digest)
            .filter(is_recent)
            .map(|entry| entry.key.clone())
    }

    /// Clears the cache after a local change to a key or client.
    pub(crate) fn invalidate_all(&self) {
        let mut state = self.lock();
        state.found.clear();
        state.generation += 1;
    }

    /// Answers the requests for one key until its queue is empty.
    async fn run_batches(&self, digest: KeyDigest) {
        while let Some(group) = self.waiting.next_batch(digest, usize::MAX) {
            let read_at = self.transactions.now();
            let generation = self.lock().generation;
            let read_result = self.find(digest).await.map_err(StoreError::from);
            if let Ok(Some(key)) = &read_result {
                self.insert(
                    digest,
                    CacheEntry {
                        read_at,
                        key: key.clone(),
                    },
                    generation,
                );
            }
            for answer in group {
                drop(answer.send(read_result.clone()));
            }
        }
    }

    /// Reads the key by its location, which is cached, and verifies that it has the digest.
    async fn find(&self, digest: KeyDigest) -> Result<Option<KeyWithClient>, Error> {
        if let Some(location) = self.key_locations.get(digest) {
            if let Some(key) = self.read(digest, location).await? {
                return Ok(Some(key));
            }
            // The digest may have moved from this key to another one since the location was cached.
            self.key_locations.invalidate(digest);
        }
        let located_key = self.transactions.run_in(
            Lane::Local,
            TransactionMode::Read,
            &digest,
            |transaction, digest| Box::pin(find_location(transaction, *digest)),
        );
        let Some(location) = located_key.await? else {
            return Ok(None);
        };
        self.key_locations.insert(digest, location);
        self.read(digest, location).await
    }

    async fn read(
        &self,
        digest: KeyDigest,
        location: KeyLocation,
    ) -> Result<Option<KeyWithClient>, Error> {
        let lane = Lane::Of(location.ledger.client);
        self.transactions
            .run_in(
                lane,
                TransactionMode::Read,
                &(digest, location),
                |transaction, (digest, location)| Box::pin(read(transaction, *digest, *location)),
            )
            .await
    }

    /// Caches a key, unless the cache was invalidated after its read began.
    fn insert(&self, digest: KeyDigest, entry: CacheEntry, generation: u64) {
        let mut state = self.lock();
        if state.generation == generation {
            if state.found.len() >= CAPACITY {
                state.found.clear();
            }
            state.found.insert(digest, entry);
        }
    }

    fn lock(&self) -> MutexGuard<'_, CacheState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Reads the key at `location` with its client; `None` if no secret of the key has the digest.
async fn read(
    transaction: &Transaction,
    digest: KeyDigest,
    location: KeyLocation,
) -> Result<Option<KeyWithClient>, Error> {
    let Some(row) = transaction
        .row(
            registry::KEY_WITH_CLIENT,
            values![location.ledger.client, location.key],
        )
        .await?
    else {
        return Ok(None);
    };
    let key = KeyWithClient {
        key: row.record(0)?,
        client: row.record(1)?,
    };
    let has_digest = key.key.secrets.iter().any(|secret| secret.digest == digest);
    Ok(has_digest.then_some(key))
}
