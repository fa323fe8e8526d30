//! Whose key it is: the question with which every request begins. Those who ask it of the same key while it is being asked share the
//! answer to the next time, which is read behind all of them. What was answered is remembered for a second, for those who confirm
//! the key later.

use crate::background::Background;
use crate::error::Error;
use crate::gather::Gathering;
use crate::sql::{lookup, registry};
use crate::step::Step;
use crate::transaction::{Mode, Transactions};
use crate::value::{Columns, values};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::oneshot;
use voight_domain::ports::StoreError;
use voight_domain::registry::KeyHolder;
use voight_domain::secrets::KeyDigest;
use voight_domain::vocabulary::{ClientId, KeyId, Timestamp};

type Found = Result<Option<KeyHolder>, StoreError>;

/// The questions that wait for the one before them.
pub(crate) struct Holders {
    transactions: Arc<Transactions>,
    waiting: Gathering<KeyDigest, oneshot::Sender<Found>>,
    recent: Mutex<Recents>,
}

/// Who was found lately.
#[derive(Default)]
struct Recents {
    found: HashMap<KeyDigest, Recent>,
    /// How often all were forgotten. What was asked before the last time is not remembered.
    forgotten: u64,
}

/// Somebody who was found, by a question of this time.
struct Recent {
    asked: Timestamp,
    holder: KeyHolder,
}

/// How long an answer may be remembered: a change at one node is known at every other after this.
const RECENT: Duration = Duration::from_secs(1);
/// The most answers remembered. When they are exceeded all are forgotten: simple, and asking again is cheap.
const CAPACITY: usize = 16_384;

impl Holders {
    /// On these transactions.
    pub(crate) fn over(transactions: Arc<Transactions>) -> Self {
        Self { transactions, waiting: Gathering::default(), recent: Mutex::default() }
    }

    /// The key that a digest leads to, with its client.
    pub(crate) async fn of(self: &Arc<Self>, digest: KeyDigest, background: &Background) -> Found {
        let (answer, answered) = oneshot::channel();
        if self.waiting.join(digest, answer) {
            let holders = Arc::clone(self);
            background.begin(async move { holders.serve(digest).await });
        }
        answered.await.unwrap_or_else(|_| Err(StoreError::NotApplied("the call panicked".to_owned())))
    }

    /// The same, if it was asked for in the last second.
    pub(crate) fn recent(&self, digest: KeyDigest) -> Option<KeyHolder> {
        let now = self.transactions.now();
        // A clock that was set back since says nothing.
        let is_recent = |recent: &&Recent| recent.asked <= now && now.since(recent.asked) < RECENT;
        self.lock().found.get(&digest).filter(is_recent).map(|recent| recent.holder.clone())
    }

    /// Remembers nobody any longer: a key or client was changed here.
    pub(crate) fn forget(&self) {
        let mut recents = self.lock();
        recents.found.clear();
        recents.forgotten += 1;
    }

    /// Answers until nobody asks.
    async fn serve(&self, digest: KeyDigest) {
        while let Some(group) = self.waiting.next(digest, usize::MAX) {
            let (asked, forgotten) = (self.transactions.now(), self.lock().forgotten);
            let found = self.transactions.run(Mode::Read, &digest, |step, digest| Box::pin(find(step, *digest))).await;
            let found = found.map_err(StoreError::from);
            if let Ok(Some(holder)) = &found {
                self.remember(digest, Recent { asked, holder: holder.clone() }, forgotten);
            }
            for answer in group {
                drop(answer.send(found.clone()));
            }
        }
    }

    /// Remembers who was found, unless all were forgotten since it was asked.
    fn remember(&self, digest: KeyDigest, recent: Recent, forgotten: u64) {
        let mut recents = self.lock();
        if recents.forgotten == forgotten {
            if recents.found.len() >= CAPACITY {
                recents.found.clear();
            }
            recents.found.insert(digest, recent);
        }
    }

    fn lock(&self) -> MutexGuard<'_, Recents> {
        self.recent.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Finds the key in two reads: where the digest leads, which every machine of a cluster has a copy of, and then the records, on the
/// machine of that client. A digest that was taken from the key in between finds nothing.
async fn find(step: &Step, digest: KeyDigest) -> Result<Option<KeyHolder>, Error> {
    let Some(route) = step.row(lookup::ROUTE, values![digest]).await? else { return Ok(None) };
    let (client, key) = (ClientId::from_bytes(route.fixed(0)?), KeyId::from_bytes(route.fixed(1)?));
    let Some(row) = step.row(registry::HOLDER, values![client, key]).await? else { return Ok(None) };
    let holder = KeyHolder { key: row.record(0)?, client: row.record(1)? };
    let has_digest = holder.key.secrets.iter().any(|secret| secret.digest == digest);
    Ok(has_digest.then_some(holder))
}
