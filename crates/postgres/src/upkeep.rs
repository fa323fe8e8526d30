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
const LOOK_EVERY: Duration = Duration::from_secs(1);
/// How often marks and claims are looked through.
const SWEEP_EVERY: Duration = Duration::from_mins(10);
/// How long a mark, and a claim that has ended, stays: a clock that was ahead for a while and is put back finds them again.
const GRACE: Duration = Duration::from_hours(24);

/// Looks for the database all along, so that the store says itself that it is away, and back.
pub(crate) async fn look_all_along(transactions: Arc<TransactionRunner>) {
    loop {
        sleep(LOOK_EVERY).await;
        transactions.look().await;
    }
}

/// Removes old marks and ended claims every few minutes, when it is this node's turn.
pub(crate) async fn sweep_now_and_then(transactions: Arc<TransactionRunner>, turn: Arc<LeaderLease>) {
    loop {
        sleep(SWEEP_EVERY).await;
        // What is not removed now is removed next time.
        if let Err(error) = sweep_in_turn(&transactions, &turn).await {
            tracing::debug!(%error, "old marks and claims stay for now");
        }
    }
}

async fn sweep_in_turn(transactions: &TransactionRunner, turn: &LeaderLease) -> Result<(), Error> {
    if turn.take().await? {
        transactions.run(TransactionMode::Read, &(), |step, ()| Box::pin(sweep(step))).await?;
    }
    Ok(())
}

async fn sweep(step: &Transaction) -> Result<(), Error> {
    let before = step.now().minus(GRACE);
    step.run(session::SWEEP_MARKS, values![before]).await?;
    step.run(session::SWEEP_CLAIMS, values![before]).await?;
    step.run(session::SWEEP_CLAIM_ENDS, values![before]).await?;
    Ok(())
}
