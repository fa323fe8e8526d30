//! What the store does by itself: looking for the database, and forgetting what has served its time.

use crate::error::Error;
use crate::sql::session;
use crate::step::Transaction;
use crate::transaction::{TransactionMode, TransactionRunner};
use crate::turn::LeaderLease;
use crate::value::values;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::sleep;

/// How often the database is looked for.
const HEALTH_PROBE_INTERVAL: Duration = Duration::from_secs(1);
/// How often marks and claims are looked through.
const PURGE_INTERVAL: Duration = Duration::from_mins(10);
/// How long a mark, and a claim that has ended, stays: a clock that was ahead for a while and is put back finds them again.
const EXPIRY_GRACE: Duration = Duration::from_hours(24);

/// Looks for the database all along, so that the store says itself that it is away, and back.
pub(crate) async fn run_health_probe(transactions: Arc<TransactionRunner>) {
    loop {
        sleep(HEALTH_PROBE_INTERVAL).await;
        transactions.probe().await;
    }
}

/// Removes old marks and ended claims every few minutes, when it is this node's turn.
pub(crate) async fn run_purge(transactions: Arc<TransactionRunner>, turn: Arc<LeaderLease>) {
    loop {
        sleep(PURGE_INTERVAL).await;
        // What is not removed now is removed next time.
        if let Err(error) = purge_if_leader(&transactions, &turn).await {
            tracing::debug!(%error, "old marks and claims stay for now");
        }
    }
}

async fn purge_if_leader(transactions: &TransactionRunner, turn: &LeaderLease) -> Result<(), Error> {
    if turn.try_acquire().await? {
        transactions.run(TransactionMode::Read, &(), |step, ()| Box::pin(sweep(step))).await?;
    }
    Ok(())
}

async fn sweep(step: &Transaction) -> Result<(), Error> {
    let before = step.now().saturating_sub(EXPIRY_GRACE);
    step.execute_sql(session::SWEEP_MARKS, values![before]).await?;
    step.execute_sql(session::SWEEP_CLAIMS, values![before]).await?;
    step.execute_sql(session::SWEEP_CLAIM_ENDS, values![before]).await?;
    Ok(())
}
