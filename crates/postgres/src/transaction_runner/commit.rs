//! Commits a transaction, and resolves its outcome when the reply was lost.

use super::{MAX_ATTEMPTS, TRANSACTION_TIMEOUT, TransactionRunner};
use crate::connection::Transaction;
use crate::error::{Error, is_serialization_conflict};
use crate::pipeline::join_in_order;
use crate::sql::session;
use crate::value::{RowExt, values};
use crate::workers::Lane;
use futures_util::future::Either;
use std::sync::atomic::Ordering;
use std::time::Duration;
use tokio::time::timeout;
use voight_domain::vocabulary::{ClientId, Timestamp};

/// Timeout for a connection, and then for an answer, when the outcome of a commit is resolved.
///
/// Longer than the lock timeout of the database, and short enough that all attempts end before the timeouts of callers.
const RESOLVE_TIMEOUT: Duration = Duration::from_millis(1250);

/// Commit marker: a row with an id unique to one transaction, written beside its changes.
#[derive(Debug, Clone)]
pub(super) struct CommitMarker {
    client: ClientId,
    id: Vec<u8>,
    at: Timestamp,
}

/// Outcome of a transaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CommitOutcome {
    /// Committed.
    Committed,
    /// Rolled back; a later commit is impossible.
    RolledBack,
}

/// Error of a commit, by what is known about its effect.
enum CommitError {
    /// Rejected commit; nothing changed.
    NotApplied(Error),
    /// Interrupted commit, which may have taken effect.
    OutcomeUnknown(Error),
}

impl TransactionRunner {
    /// Sends the remaining writes, the commit marker and the commit in one flight. Resolves the outcome if the reply is
    /// lost.
    pub(super) async fn commit(&self, lane: Lane, transaction: Transaction) -> Result<(), Error> {
        if !transaction.has_written() {
            transaction.roll_back().await;
            return Ok(());
        }
        let mark = self.next_marker(&transaction);
        let commit_result = self
            .unless_given_up(
                lane,
                timeout(TRANSACTION_TIMEOUT, write_and_commit(&transaction, &mark)),
            )
            .await;
        if matches!(commit_result, Some(Err(_))) {
            self.close_idle_connections();
        }
        match commit_result
            .and_then(Result::ok)
            .unwrap_or(Err(CommitError::OutcomeUnknown(Error::Timeout)))
        {
            Ok(()) => transaction.release(),
            Err(CommitError::NotApplied(error)) => {
                transaction.discard();
                return Err(error);
            }
            Err(CommitError::OutcomeUnknown(error)) => {
                transaction.discard();
                self.resolve_outcome(&mark, &error).await?;
            }
        }
        self.committed_at
            .fetch_max(self.clock.now().as_millis(), Ordering::Relaxed);
        Ok(())
    }

    /// Determines on another connection the outcome of the transaction of this marker, which `lost` has left open.
    async fn resolve_outcome(&self, mark: &CommitMarker, lost: &Error) -> Result<(), Error> {
        for attempt in 1..=MAX_ATTEMPTS {
            match self.commit_outcome(mark).await {
                Ok(CommitOutcome::Committed) => return Ok(()),
                Ok(CommitOutcome::RolledBack) => return Err(Error::RolledBack),
                // The marker is on the server of the client. If that server was given up, the outcome cannot be
                // resolved.
                Err(_)
                    if self
                        .workers
                        .as_ref()
                        .is_some_and(|workers| workers.is_given_up(mark.client)) =>
                {
                    break;
                }
                Err(_) => self.backoff(attempt).await,
            }
        }
        Err(Error::Unknown(format!(
            "the answer to a commit was lost ({lost}), and the database cannot be asked"
        )))
    }

    /// Returns the outcome of the transaction of this marker. Idempotent.
    pub(super) async fn commit_outcome(&self, mark: &CommitMarker) -> Result<CommitOutcome, Error> {
        let transaction = timeout(RESOLVE_TIMEOUT, self.begin())
            .await
            .unwrap_or(Err(Error::Timeout))?;
        let fate = timeout(RESOLVE_TIMEOUT, decide_fate(&transaction, mark))
            .await
            .unwrap_or(Err(Error::Timeout));
        match fate {
            Ok(_) => transaction.release(),
            Err(_) => transaction.discard(),
        }
        fate
    }

    pub(super) fn next_marker(&self, transaction: &Transaction) -> CommitMarker {
        let number = self.marks.fetch_add(1, Ordering::Relaxed);
        let id = [&self.node[..], &number.to_be_bytes()].concat();
        CommitMarker {
            client: transaction.client_id(),
            id,
            at: self.clock.now(),
        }
    }
}

/// Inserts the marker as that of a rolled-back transaction unless it exists; then reads its state.
async fn decide_fate(
    transaction: &Transaction,
    mark: &CommitMarker,
) -> Result<CommitOutcome, Error> {
    transaction
        .execute_sql(
            session::INSERT_COMMIT_MARKER,
            values![mark.client, mark.id.clone(), mark.at],
        )
        .await?;
    let row = transaction
        .row(session::FATE, values![mark.client, mark.id.clone()])
        .await?;
    let is_rolled_back = row.map_or_else(
        || Err(Error::damaged("a commit marker is missing")),
        |row| row.column(0),
    )?;
    Ok(if is_rolled_back {
        CommitOutcome::RolledBack
    } else {
        CommitOutcome::Committed
    })
}

async fn write_and_commit(
    transaction: &Transaction,
    mark: &CommitMarker,
) -> Result<(), CommitError> {
    let mut writes = transaction.take_writes();
    writes.push((
        session::MARK,
        values![mark.client, mark.id.clone(), mark.at],
    ));
    let mut statements = Vec::with_capacity(writes.len());
    for (sql, values) in &writes {
        statements.push((
            transaction
                .prepared(sql)
                .await
                .map_err(CommitError::NotApplied)?,
            values,
        ));
    }
    let writes = statements.iter().map(|(statement, values)| {
        Either::Left(async { transaction.execute(statement, values).await.map(|_| ()) })
    });
    let mut answers =
        join_in_order(writes.chain([Either::Right(transaction.batch_execute(session::COMMIT))]))
            .await;
    let commit_result = answers.pop().unwrap_or(Ok(()));
    // A commit rolls back a transaction in which a statement has failed.
    match answers.into_iter().find_map(Result::err) {
        Some(error) if is_lost(&error) => Err(CommitError::OutcomeUnknown(error)),
        Some(error) => Err(CommitError::NotApplied(error)),
        None => commit_result.map_err(|error| match &error {
            Error::Database(cause) if is_serialization_conflict(cause) => {
                CommitError::NotApplied(error)
            }
            _ => CommitError::OutcomeUnknown(error),
        }),
    }
}

/// Returns `true` if the connection itself is lost.
fn is_lost(error: &Error) -> bool {
    matches!(error, Error::Database(cause) if cause.as_db_error().is_none())
}

#[cfg(test)]
mod tests;
