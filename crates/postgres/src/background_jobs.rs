//! Background jobs: connection health checks, and removal of expired markers and idempotency records.

use crate::connection::Transaction;
use crate::error::Error;
use crate::leader_lease::LeaderLease;
use crate::sql::session;
use crate::transaction_runner::{TransactionMode, TransactionRunner};
use crate::value::values;
use crate::workers::Workers;
use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use std::collections::BTreeSet;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::sleep;
use voight_domain::retention::EXPIRY_GRACE;

/// Interval between health checks of the database.
const HEALTH_PROBE_INTERVAL: Duration = Duration::from_secs(1);
/// Interval between reads of the servers of a cluster, and between health checks of each; the timeout of one check.
const ASK_EVERY: Duration = Duration::from_secs(1);
const ANSWERS_WITHIN: Duration = Duration::from_secs(2);
/// Number of consecutive timeouts after which a server counts as hanging.
const SILENCES: u32 = 2;
/// Number of reads of the servers after which the cached locations of clients are cleared.
const LOCATIONS_LAST: u32 = 60;
/// Interval between purges of commit markers and idempotency records.
const PURGE_INTERVAL: Duration = Duration::from_mins(10);

/// Runs health checks of the database until the store is closed, so that readiness does not depend on requests.
pub(crate) async fn run_health_probe(transactions: Arc<TransactionRunner>) {
    loop {
        sleep(HEALTH_PROBE_INTERVAL).await;
        transactions.probe().await;
    }
}

/// Runs health checks of every server of a distributed store until the store is closed.
///
/// A server is healthy if it answers, and if its settings keep acknowledged writes. The list of servers is read as often
/// as a server is checked, so a server that is added later is checked, too.
pub(crate) async fn run_worker_probe(transactions: Arc<TransactionRunner>) {
    let Some(workers) = transactions.workers() else {
        return;
    };
    let mut probed_groups = BTreeSet::new();
    let mut probes = FuturesUnordered::new();
    for pass in 1_u32.. {
        for node in workers.nodes() {
            if probed_groups.insert(node.group) {
                probes.push(ask_until_removed(&transactions, &workers, node.group));
            }
        }
        let mut renewal = pin!(renew_after_pause(&transactions, &workers));
        loop {
            tokio::select! {
                () = &mut renewal => break,
                Some(removed_group) = probes.next() => { probed_groups.remove(&removed_group); }
            }
        }
        if pass.is_multiple_of(LOCATIONS_LAST) {
            workers.clear_locations();
        }
    }
}

/// Checks a server until it is removed from the cluster; returns its group.
async fn ask_until_removed(transactions: &TransactionRunner, workers: &Workers, group: u64) -> u64 {
    let mut silent = 0;
    while let Some(node) = workers.nodes().into_iter().find(|node| node.group == group) {
        let answer = transactions
            .ask_within(ANSWERS_WITHIN, &node, |transaction, node| {
                Box::pin(node.ask(transaction))
            })
            .await;
        silent = if matches!(answer, Err(Error::Timeout)) {
            silent + 1
        } else {
            0
        };
        // A single timeout may only mean a busy server.
        if !(1..SILENCES).contains(&silent) {
            let trouble = match answer {
                Ok(None) => None,
                Ok(Some(setting)) => Some(format!(
                    "it runs with {setting} = off, so what it has acknowledged can be lost"
                )),
                Err(Error::Timeout) => Some("it does not answer".to_owned()),
                Err(error) => Some(error.to_string()),
            };
            workers.note(group, trouble);
        }
        sleep(ASK_EVERY).await;
    }
    group
}

/// Connects to the hosts of the URL that were not found yet, and reads the list of servers after a pause.
async fn renew_after_pause(transactions: &TransactionRunner, workers: &Arc<Workers>) {
    workers.find_hosts(ANSWERS_WITHIN).await;
    sleep(ASK_EVERY).await;
    let renewal = transactions
        .ask_within(ANSWERS_WITHIN, workers, |transaction, workers| {
            Box::pin(workers.renew(transaction))
        })
        .await;
    if let Err(error) = renewal {
        tracing::debug!(
            event = "cluster_list_postponed",
            %error,
            "the list of servers of the cluster is read again later"
        );
    }
}

/// Removes old commit markers and expired idempotency records while this node is the leader.
pub(crate) async fn run_purge(
    transactions: Arc<TransactionRunner>,
    leader_lease: Arc<LeaderLease>,
) {
    loop {
        sleep(PURGE_INTERVAL).await;
        // The next pass removes the rows that a failed pass has left.
        if let Err(error) = purge_if_leader(&transactions, &leader_lease).await {
            tracing::debug!(
                event = "purge_postponed",
                %error,
                "the purge of commit markers and idempotency records is repeated later"
            );
        }
    }
}

async fn purge_if_leader(
    transactions: &TransactionRunner,
    leader_lease: &LeaderLease,
) -> Result<(), Error> {
    if leader_lease.try_acquire().await? {
        transactions
            .run(TransactionMode::Read, &(), |transaction, ()| {
                Box::pin(sweep(transaction))
            })
            .await?;
    }
    Ok(())
}

async fn sweep(transaction: &Transaction) -> Result<(), Error> {
    let expiry_limit = transaction.now().saturating_sub(EXPIRY_GRACE);
    transaction
        .execute_sql(session::SWEEP_MARKS, values![expiry_limit])
        .await?;
    transaction
        .execute_sql(
            session::DELETE_EXPIRED_IDEMPOTENCY_RECORDS,
            values![expiry_limit],
        )
        .await?;
    Ok(())
}
