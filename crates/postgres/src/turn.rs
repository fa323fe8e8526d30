//! Whose turn it is to do what is done beside serving: that of one node, which has it by a lease in the database.

use crate::error::Error;
use crate::sql::turn;
use crate::transaction::{TransactionMode, TransactionRunner};
use crate::value::{RowExt, values};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use tokio::time::timeout;

/// How long a node that is closed tries to leave the turn to others. After it, they wait until the lease has ended.
const RELEASE_TIMEOUT: Duration = Duration::from_secs(2);
/// What no turn is numbered.
const NO_TERM: u64 = 0;

/// This node's part in it.
pub(crate) struct LeaderLease {
    transactions: Arc<TransactionRunner>,
    /// Random bytes that are this process's alone.
    node: [u8; 16],
    /// The number of the turn while it is this node's.
    term: AtomicU64,
}

impl LeaderLease {
    /// Of the process with these random bytes, which has not asked for it yet.
    pub(crate) fn new(node: [u8; 16], transactions: Arc<TransactionRunner>) -> Self {
        Self { transactions, node, term: AtomicU64::new(NO_TERM) }
    }

    /// Asks for it; whether it is this node's, for as long as the lease is.
    pub(crate) async fn try_acquire(&self) -> Result<bool, Error> {
        let taken = self.transactions.run(TransactionMode::Read, &self.node, |step, node| {
            Box::pin(async move {
                step.execute_sql(turn::FIRST, values![*node]).await?;
                step.query_opt(turn::TAKE, values![*node]).await?.map(|row| row.number(0)).transpose()
            })
        });
        let number = taken.await?;
        match (self.term.swap(number.unwrap_or(NO_TERM), Ordering::Relaxed), number) {
            (NO_TERM, Some(number)) => tracing::info!(number, "this node does the work beside serving from now on"),
            (NO_TERM, None) | (_, Some(_)) => {}
            (number, None) => tracing::warn!(number, "another node does the work beside serving: this one was held up"),
        }
        Ok(number.is_some())
    }

    /// Lets another node have it at once, if it is this one's.
    pub(crate) async fn release(&self) {
        if self.term.swap(NO_TERM, Ordering::Relaxed) == NO_TERM {
            return;
        }
        let left = self.transactions.run(TransactionMode::Read, &self.node, |step, node| {
            Box::pin(async move { step.execute_sql(turn::LEAVE, values![*node]).await.map(drop) })
        });
        match timeout(RELEASE_TIMEOUT, left).await {
            Ok(Ok(())) => {}
            Ok(Err(error)) => tracing::debug!(%error, "the turn ends by itself"),
            Err(_) => tracing::debug!("the turn ends by itself: the database does not answer"),
        }
    }
}
