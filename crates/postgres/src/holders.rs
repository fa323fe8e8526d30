//! Whose key it is: the question with which every request begins. Those who ask it of the same key while it is being asked share the
//! answer to the next time, which is read behind all of them.

use crate::background::Background;
use crate::error::Error;
use crate::gather::Gathering;
use crate::sql::registry;
use crate::step::Step;
use crate::transaction::{Mode, Transactions};
use crate::value::{Columns, values};
use std::sync::Arc;
use tokio::sync::oneshot;
use voight_domain::ports::StoreError;
use voight_domain::registry::KeyHolder;
use voight_domain::secrets::KeyDigest;

type Found = Result<Option<KeyHolder>, StoreError>;

/// The questions that wait for the one before them.
pub(crate) struct Holders {
    transactions: Arc<Transactions>,
    waiting: Gathering<KeyDigest, oneshot::Sender<Found>>,
}

impl Holders {
    /// On these transactions.
    pub(crate) fn over(transactions: Arc<Transactions>) -> Self {
        Self { transactions, waiting: Gathering::default() }
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

    /// Answers until nobody asks.
    async fn serve(&self, digest: KeyDigest) {
        while let Some(group) = self.waiting.next(digest, usize::MAX) {
            let found = self.transactions.run(Mode::Read, &digest, |step, digest| Box::pin(find(step, *digest))).await;
            let found = found.map_err(StoreError::from);
            for answer in group {
                drop(answer.send(found.clone()));
            }
        }
    }
}

async fn find(step: &Step, digest: KeyDigest) -> Result<Option<KeyHolder>, Error> {
    let Some(row) = step.row(registry::HOLDER, values![digest]).await? else { return Ok(None) };
    Ok(Some(KeyHolder { key: row.record(0)?, client: row.record(1)? }))
}
