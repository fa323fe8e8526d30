//! Leader lease: of all nodes on one database, only the leader runs background jobs.

use crate::error::Error;
use crate::sql::leader_lease;
use crate::transaction_runner::{TransactionMode, TransactionRunner};
use crate::value::{RowExt, values};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use tokio::time::timeout;

/// Timeout for releasing the lease at shutdown. If it fails, the lease expires by itself.
const RELEASE_TIMEOUT: Duration = Duration::from_secs(2);
/// Value of `term` on a node that does not hold the lease.
const NO_TERM: u64 = 0;

/// Lease of the leader, as one node sees it.
pub(crate) struct LeaderLease {
    transactions: Arc<TransactionRunner>,
    /// Random bytes that identify this process.
    node: [u8; 16],
    /// Term of this node, or [`NO_TERM`]. Terms increase with every change of the leader.
    term: AtomicU64,
}

impl LeaderLease {
    /// Creates the lease of the process `node`, which does not hold it yet.
    pub(crate) fn new(node: [u8; 16], transactions: Arc<TransactionRunner>) -> Self {
        Self {
            transactions,
            node,
            term: AtomicU64::new(NO_TERM),
        }
    }

    /// Acquires or renews the lease; returns `true` if this node is the leader until the lease expires.
    pub(crate) async fn try_acquire(&self) -> Result<bool, Error> {
        let acquisition =
            self.transactions
                .run(TransactionMode::Read, &self.node, |transaction, node| {
                    Box::pin(async move {
                        transaction
                            .execute_sql(leader_lease::FIRST, values![*node])
                            .await?;
                        transaction
                            .query_opt(leader_lease::TAKE, values![*node])
                            .await?
                            .map(|row| row.number(0))
                            .transpose()
                    })
                });
        let term = acquisition.await?;
        match (
            self.term.swap(term.unwrap_or(NO_TERM), Ordering::Relaxed),
            term,
        ) {
            (NO_TERM, Some(term)) => {
                tracing::info!(
                    event = "leader_lease_acquired",
                    term,
                    "this node is the leader and runs the background jobs"
                );
            }
            (NO_TERM, None) | (_, Some(_)) => {}
            (lost_term, None) => {
                tracing::warn!(
                    event = "leader_lease_lost",
                    term = lost_term,
                    "another node is the leader: this one did not renew its lease in time"
                );
            }
        }
        Ok(term.is_some())
    }

    /// Releases the lease if this node holds it, so that another node can acquire it at once.
    pub(crate) async fn release(&self) {
        if self.term.swap(NO_TERM, Ordering::Relaxed) == NO_TERM {
            return;
        }
        let release =
            self.transactions
                .run(TransactionMode::Read, &self.node, |transaction, node| {
                    Box::pin(async move {
                        transaction
                            .execute_sql(leader_lease::LEAVE, values![*node])
                            .await
                            .map(drop)
                    })
                });
        match timeout(RELEASE_TIMEOUT, release).await {
            Ok(Ok(())) => {}
            Ok(Err(error)) => tracing::debug!(
                event = "leader_lease_not_released",
                %error,
                "the lease expires by itself"
            ),
            Err(_) => tracing::debug!(
                event = "leader_lease_not_released",
                error = "the database does not answer",
                "the lease expires by itself"
            ),
        }
    }
}
