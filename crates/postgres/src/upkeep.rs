//! What the store does by itself: looking for the database, and forgetting what has served its time.

use crate::error::Error;
use crate::sql::session;
use crate::step::Transaction;
use crate::transaction::{TransactionMode, TransactionRunner};
use crate::turn::LeaderLease;
use crate::value::values;
use crate::workers::{Lane, Workers};
use futures_util::future::{join, join_all};
use std::sync::Arc;
use std::time::Duration;
use tokio::time::sleep;

/// How often the database is looked for.
const HEALTH_PROBE_INTERVAL: Duration = Duration::from_secs(1);
/// How often each machine of a cluster is asked, and how long it has to answer.
const ASK_EVERY: Duration = Duration::from_secs(1);
const ANSWERS_WITHIN: Duration = Duration::from_secs(2);
/// Questions without an answer, one after the other, after which a machine is taken to hang.
const SILENCES: u32 = 2;
/// How often it is looked which machines there are, and where clients are.
const RENEW_EVERY: Duration = Duration::from_mins(1);
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

/// Asks every machine of a distributed store all along whether it answers, and whether it may lose what it acknowledges.
pub(crate) async fn ask_workers_all_along(transactions: Arc<TransactionRunner>) {
    let Some(workers) = transactions.workers() else { return };
    let each = |group| ask_all_along(&transactions, &workers, group);
    let groups = workers.nodes().into_iter().map(|node| node.group);
    // A machine that is added later is asked after a restart; its clients are served meanwhile.
    let asking = join_all(groups.map(each));
    join(asking, renew_all_along(&transactions, &workers)).await;
}

async fn ask_all_along(transactions: &TransactionRunner, workers: &Workers, group: u64) {
    let mut silent = 0;
    loop {
        sleep(ASK_EVERY).await;
        let Some(node) = workers.nodes().into_iter().find(|node| node.group == group) else { continue };
        let asked = transactions.ask_within(ANSWERS_WITHIN, &node, |step, node| Box::pin(node.ask(step))).await;
        silent = if matches!(asked, Err(Error::Timeout)) { silent + 1 } else { 0 };
        // A machine that is busy for a moment is no machine that hangs.
        if (1..SILENCES).contains(&silent) {
            continue;
        }
        let trouble = match asked {
            Ok(None) => None,
            Ok(Some(setting)) => Some(format!("it runs with {setting} = off, so what it has acknowledged can be lost")),
            Err(Error::Timeout) => Some("it does not answer".to_owned()),
            Err(error) => Some(error.to_string()),
        };
        workers.note(group, trouble);
    }
}

async fn renew_all_along(transactions: &TransactionRunner, workers: &Arc<Workers>) {
    loop {
        sleep(RENEW_EVERY).await;
        let renew = transactions
            .run_in(Lane::Local, TransactionMode::Read, workers, |step, workers| Box::pin(workers.renew(step)));
        if let Err(error) = renew.await {
            tracing::debug!(%error, "the machines of the cluster are looked for later");
        }
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
