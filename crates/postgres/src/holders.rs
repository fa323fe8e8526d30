//! Whose key it is: the question with which every request begins. Those who ask it of the same key while it is being asked share the
//! answer to the next time, which is read behind all of them. What was answered is remembered for a second, for those who confirm
//! the key later.

use crate::background::Background;
use crate::batch::{Route, Routes, find_route};
use crate::error::Error;
use crate::gather::Gathering;
use crate::sql::registry;
use crate::step::Step;
use crate::transaction::{Mode, Transactions};
use crate::value::{Columns, values};
use crate::workers::Lane;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::oneshot;
use voight_domain::ports::StoreError;
use voight_domain::registry::KeyHolder;
use voight_domain::secrets::KeyDigest;
use voight_domain::vocabulary::Timestamp;

type Found = Result<Option<KeyHolder>, StoreError>;

/// The questions that wait for the one before them.
pub(crate) struct Holders {
    transactions: Arc<Transactions>,
    routes: Arc<Routes>,
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
    /// On these transactions; where digests lead is remembered in `routes`.
    pub(crate) fn over(transactions: Arc<Transactions>, routes: Arc<Routes>) -> Self {
        Self { transactions, routes, waiting: Gathering::default(), recent: Mutex::default() }
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
            let found = self.find(digest).await.map_err(StoreError::from);
            if let Ok(Some(holder)) = &found {
                self.remember(digest, Recent { asked, holder: holder.clone() }, forgotten);
            }
            for answer in group {
                drop(answer.send(found.clone()));
            }
        }
    }

    /// Finds the key by two reads: where the digest leads, which is remembered, and then the records of that client.
    async fn find(&self, digest: KeyDigest) -> Result<Option<KeyHolder>, Error> {
        if let Some(route) = self.routes.known(digest) {
            if let Some(holder) = self.read(digest, route).await? {
                return Ok(Some(holder));
            }
            // The key may have been given another digest, and the digest another key.
            self.routes.forget(digest);
        }
        let found = self
            .transactions
            .run_in(Lane::Local, Mode::Read, &digest, |step, digest| Box::pin(find_route(step, *digest)));
        let Some(route) = found.await? else { return Ok(None) };
        self.routes.remember(digest, route);
        self.read(digest, route).await
    }

    async fn read(&self, digest: KeyDigest, route: Route) -> Result<Option<KeyHolder>, Error> {
        let lane = Lane::Of(route.ledger.0);
        self.transactions.run_in(lane, Mode::Read, &(digest, route), |step, asked| Box::pin(read(step, *asked))).await
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

/// Reads the key that a digest leads to, with its client; `None` if the digest is none of its secrets'.
async fn read(step: &Step, (digest, route): (KeyDigest, Route)) -> Result<Option<KeyHolder>, Error> {
    let Some(row) = step.row(registry::HOLDER, values![route.ledger.0, route.key]).await? else { return Ok(None) };
    let holder = KeyHolder { key: row.record(0)?, client: row.record(1)? };
    let has_digest = holder.key.secrets.iter().any(|secret| secret.digest == digest);
    Ok(has_digest.then_some(holder))
}
