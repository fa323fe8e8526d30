//! Whose key it is: the question with which every request begins. Those who ask it of the same key while it is being asked share the
//! answer to the next time, which is read behind all of them. What was answered is remembered for a second, for those who confirm
//! the key later.

use crate::background::TaskRuntime;
use crate::batch::{KeyLocation, KeyLocationCache, find_route};
use crate::error::Error;
use crate::gather::BatchQueue;
use crate::sql::registry;
use crate::step::Transaction;
use crate::transaction::{TransactionMode, TransactionRunner};
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

/// The questions that wait for the one before them.
pub(crate) struct KeyCache {
    transactions: Arc<TransactionRunner>,
    routes: Arc<KeyLocationCache>,
    waiting: BatchQueue<KeyDigest, oneshot::Sender<KeyResult>>,
    recent: Mutex<CacheState>,
}

/// Who was found lately.
#[derive(Default)]
struct CacheState {
    found: HashMap<KeyDigest, CacheEntry>,
    /// How often all were forgotten. What was asked before the last time is not remembered.
    generation: u64,
}

/// Somebody who was found, by a question of this time.
struct CacheEntry {
    asked: Timestamp,
    holder: KeyWithClient,
}

/// How long an answer may be remembered: a change at one node is known at every other after this.
const CACHE_TTL: Duration = Duration::from_secs(1);
/// The most answers remembered. When they are exceeded all are forgotten: simple, and asking again is cheap.
const CAPACITY: usize = 16_384;

impl KeyCache {
    /// On these transactions; where digests lead is remembered in `routes`.
    pub(crate) fn new(transactions: Arc<TransactionRunner>, routes: Arc<KeyLocationCache>) -> Self {
        Self { transactions, routes, waiting: BatchQueue::default(), recent: Mutex::default() }
    }

    /// The key that a digest leads to, with its client.
    pub(crate) async fn get(self: &Arc<Self>, digest: KeyDigest, background: &TaskRuntime) -> KeyResult {
        let (answer, answered) = oneshot::channel();
        if self.waiting.push(digest, answer) {
            let holders = Arc::clone(self);
            background.spawn(async move { holders.run_batches(digest).await });
        }
        answered.await.unwrap_or_else(|_| Err(StoreError::NotApplied("the call panicked".to_owned())))
    }

    /// The same, if it was asked for in the last second.
    pub(crate) fn get_cached(&self, digest: KeyDigest) -> Option<KeyWithClient> {
        let now = self.transactions.now();
        // A clock that was set back since says nothing.
        let is_recent = |recent: &&CacheEntry| recent.asked <= now && now.saturating_since(recent.asked) < CACHE_TTL;
        self.lock().found.get(&digest).filter(is_recent).map(|recent| recent.holder.clone())
    }

    /// Remembers nobody any longer: a key or client was changed here.
    pub(crate) fn invalidate_all(&self) {
        let mut recents = self.lock();
        recents.found.clear();
        recents.generation += 1;
    }

    /// Answers until nobody asks.
    async fn run_batches(&self, digest: KeyDigest) {
        while let Some(group) = self.waiting.next_batch(digest, usize::MAX) {
            let (asked, forgotten) = (self.transactions.now(), self.lock().generation);
            let found = self.find(digest).await.map_err(StoreError::from);
            if let Ok(Some(holder)) = &found {
                self.insert(digest, CacheEntry { asked, holder: holder.clone() }, forgotten);
            }
            for answer in group {
                drop(answer.send(found.clone()));
            }
        }
    }

    /// Finds the key by two reads: where the digest leads, which is remembered, and then the records of that client.
    async fn find(&self, digest: KeyDigest) -> Result<Option<KeyWithClient>, Error> {
        if let Some(route) = self.routes.get(digest) {
            if let Some(holder) = self.read(digest, route).await? {
                return Ok(Some(holder));
            }
            // The key may have been given another digest, and the digest another key.
            self.routes.invalidate(digest);
        }
        let found = self
            .transactions
            .run_in(Lane::Local, TransactionMode::Read, &digest, |step, digest| Box::pin(find_route(step, *digest)));
        let Some(route) = found.await? else { return Ok(None) };
        self.routes.insert(digest, route);
        self.read(digest, route).await
    }

    async fn read(&self, digest: KeyDigest, route: KeyLocation) -> Result<Option<KeyWithClient>, Error> {
        let lane = Lane::Of(route.ledger.0);
        self.transactions
            .run_in(lane, TransactionMode::Read, &(digest, route), |step, asked| Box::pin(read(step, *asked)))
            .await
    }

    /// Remembers who was found, unless all were forgotten since it was asked.
    fn insert(&self, digest: KeyDigest, recent: CacheEntry, forgotten: u64) {
        let mut recents = self.lock();
        if recents.generation == forgotten {
            if recents.found.len() >= CAPACITY {
                recents.found.clear();
            }
            recents.found.insert(digest, recent);
        }
    }

    fn lock(&self) -> MutexGuard<'_, CacheState> {
        self.recent.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Reads the key that a digest leads to, with its client; `None` if the digest is none of its secrets'.
async fn read(step: &Transaction, (digest, route): (KeyDigest, KeyLocation)) -> Result<Option<KeyWithClient>, Error> {
    let Some(row) = step.row(registry::HOLDER, values![route.ledger.0, route.key]).await? else { return Ok(None) };
    let holder = KeyWithClient { key: row.record(0)?, client: row.record(1)? };
    let has_digest = holder.key.secrets.iter().any(|secret| secret.digest == digest);
    Ok(has_digest.then_some(holder))
}
