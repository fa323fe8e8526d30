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
const PATIENCE: Duration = Duration::from_secs(2);
/// What no turn is numbered.
const NONE: u64 = 0;

/// This node's part in it.
pub(crate) struct LeaderLease {
    transactions: Arc<TransactionRunner>,
    /// Random bytes that are this process's alone.
    node: [u8; 16],
    /// The number of the turn while it is this node's.
    number: AtomicU64,
}

impl LeaderLease {
    /// Of the process with these random bytes, which has not asked for it yet.
    pub(crate) fn of(node: [u8; 16], transactions: Arc<TransactionRunner>) -> Self {
        Self { transactions, node, number: AtomicU64::new(NONE) }
    }

    /// Asks for it; whether it is this node's, for as long as the lease is.
    pub(crate) async fn take(&self) -> Result<bool, Error> {
        let taken = self.transactions.run(TransactionMode::Read, &self.node, |step, node| {
            Box::pin(async move { step.change(turn::TAKE, values![*node]).await?.map(|row| row.number(0)).transpose() })
        });
        let number = taken.await?;
        match (self.number.swap(number.unwrap_or(NONE), Ordering::Relaxed), number) {
            (NONE, Some(number)) => tracing::info!(number, "this node does the work beside serving from now on"),
            (NONE, None) | (_, Some(_)) => {}
            (number, None) => tracing::warn!(number, "another node does the work beside serving: this one was held up"),
        }
        Ok(number.is_some())
    }

    /// Lets another node have it at once, if it is this one's.
    pub(crate) async fn leave(&self) {
        if self.number.swap(NONE, Ordering::Relaxed) == NONE {
            return;
        }
        let left = self.transactions.run(TransactionMode::Read, &self.node, |step, node| {
            Box::pin(async move { step.run(turn::LEAVE, values![*node]).await.map(drop) })
        });
        match timeout(PATIENCE, left).await {
            Ok(Ok(())) => {}
            Ok(Err(error)) => tracing::debug!(%error, "the turn ends by itself"),
            Err(_) => tracing::debug!("the turn ends by itself: the database does not answer"),
        }
    }
}
