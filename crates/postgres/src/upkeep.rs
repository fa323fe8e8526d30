//! What the store does by itself: looking for the database, and forgetting what has served its time.

use crate::error::Error;
use crate::sql::session;
use crate::step::Step;
use crate::transaction::{Mode, Transactions};
use crate::turn::Turn;
use crate::value::values;
use crate::workers::{Lane, Workers};
use futures_util::future::{join, join_all};
use std::sync::Arc;
use std::time::Duration;
use tokio::time::sleep;

/// How often the database is looked for.
const LOOK_EVERY: Duration = Duration::from_secs(1);
/// How often each machine of a cluster is asked, and how long it has to answer.
const ASK_EVERY: Duration = Duration::from_secs(1);
const ANSWERS_WITHIN: Duration = Duration::from_secs(2);
/// Questions without an answer, one after the other, after which a machine is taken to hang.
const SILENCES: u32 = 2;
/// How often it is looked which machines there are, and where clients are.
const RENEW_EVERY: Duration = Duration::from_mins(1);
/// How often marks and claims are looked through.
const SWEEP_EVERY: Duration = Duration::from_mins(10);
/// How long a mark, and a claim that has ended, stays: a clock that was ahead for a while and is put back finds them again.
const GRACE: Duration = Duration::from_hours(24);

/// Looks for the database all along, so that the store says itself that it is away, and back.
pub(crate) async fn look_all_along(transactions: Arc<Transactions>) {
    loop {
        sleep(LOOK_EVERY).await;
        transactions.look().await;
    }
}

/// Asks every machine of a distributed store all along whether it answers, and whether it may lose what it acknowledges.
pub(crate) async fn ask_workers_all_along(transactions: Arc<Transactions>) {
    let Some(workers) = transactions.workers() else { return };
    let each = |group| ask_all_along(&transactions, &workers, group);
    let groups = workers.nodes().into_iter().map(|node| node.group);
    // A machine that is added later is asked after a restart; its clients are served meanwhile.
    let asking = join_all(groups.map(each));
    join(asking, renew_all_along(&transactions, &workers)).await;
}

async fn ask_all_along(transactions: &Transactions, workers: &Workers, group: u64) {
    let mut silent = 0;
    loop {
        sleep(ASK_EVERY).await;
        let Some(node) = workers.nodes().into_iter().find(|node| node.group == group) else { continue };
        let asked = transactions.probe(ANSWERS_WITHIN, &node, |step, node| Box::pin(node.ask(step))).await;
        silent = if matches!(asked, Err(Error::Silent)) { silent + 1 } else { 0 };
        // A machine that is busy for a moment is no machine that hangs.
        if (1..SILENCES).contains(&silent) {
            continue;
        }
        let trouble = match asked {
            Ok(None) => None,
            Ok(Some(setting)) => Some(format!("it runs with {setting} = off, so what it has acknowledged can be lost")),
            Err(Error::Silent) => Some("it does not answer".to_owned()),
            Err(error) => Some(error.to_string()),
        };
        workers.note(group, trouble);
    }
}

async fn renew_all_along(transactions: &Transactions, workers: &Arc<Workers>) {
    loop {
        sleep(RENEW_EVERY).await;
        let renew =
            transactions.run_in(Lane::Local, Mode::Read, workers, |step, workers| Box::pin(workers.renew(step)));
        if let Err(error) = renew.await {
            tracing::debug!(%error, "the machines of the cluster are looked for later");
        }
    }
}

/// Removes old marks and ended claims every few minutes, when it is this node's turn.
pub(crate) async fn sweep_now_and_then(transactions: Arc<Transactions>, turn: Arc<Turn>) {
    loop {
        sleep(SWEEP_EVERY).await;
        // What is not removed now is removed next time.
        if let Err(error) = sweep_in_turn(&transactions, &turn).await {
            tracing::debug!(%error, "old marks and claims stay for now");
        }
    }
}

async fn sweep_in_turn(transactions: &Transactions, turn: &Turn) -> Result<(), Error> {
    if turn.take().await? {
        transactions.run(Mode::Read, &(), |step, ()| Box::pin(sweep(step))).await?;
    }
    Ok(())
}

async fn sweep(step: &Step) -> Result<(), Error> {
    let before = step.now().minus(GRACE);
    step.run(session::SWEEP_MARKS, values![before]).await?;
    step.run(session::SWEEP_CLAIMS, values![before]).await?;
    step.run(session::SWEEP_CLAIM_ENDS, values![before]).await?;
    Ok(())
}
