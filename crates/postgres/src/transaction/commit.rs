//! Commits, and what became of one whose answer was lost.

use super::{MAX_ATTEMPTS, TRANSACTION_TIMEOUT, TransactionRunner};
use crate::error::{Error, is_serialization_conflict};
use crate::pipeline::join_in_order;
use crate::sql::session;
use crate::step::Transaction;
use crate::value::{RowExt, values};
use crate::workers::Lane;
use futures_util::future::Either;
use std::sync::atomic::Ordering;
use std::time::Duration;
use tokio::time::timeout;
use voight_domain::vocabulary::{ClientId, Timestamp};

/// How long a connection, and then an answer, is waited for to learn what became of a commit: a little longer than a lock is, and
/// so short that all attempts are over before a caller has given up.
const RESOLVE_TIMEOUT: Duration = Duration::from_millis(1250);

/// The mark of a transaction: an id that only it has, kept beside what it changes.
#[derive(Debug, Clone)]
pub(super) struct CommitMarker {
    client: ClientId,
    id: Vec<u8>,
    at: Timestamp,
}

/// What became of a transaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CommitOutcome {
    /// It was committed.
    Committed,
    /// It was not, and can never be.
    RolledBack,
}

/// Where a commit was interrupted.
enum CommitError {
    /// It was refused: nothing is changed.
    NotApplied(Error),
    /// It may have taken place.
    OutcomeUnknown(Error),
}

impl TransactionRunner {
    /// Sends what is left to write, the mark and the commit, all at once. If the answer is lost, the mark tells what came of it.
    pub(super) async fn commit(&self, lane: Lane, step: Transaction) -> Result<(), Error> {
        if !step.has_written() {
            step.roll_back().await;
            return Ok(());
        }
        let mark = self.next_marker(&step);
        let written = self.unless_given_up(lane, timeout(TRANSACTION_TIMEOUT, write_and_commit(&step, &mark))).await;
        if matches!(written, Some(Err(_))) {
            self.close_idle_connections();
        }
        match written.and_then(Result::ok).unwrap_or(Err(CommitError::OutcomeUnknown(Error::Timeout))) {
            Ok(()) => step.release(),
            Err(CommitError::NotApplied(error)) => {
                step.discard();
                return Err(error);
            }
            Err(CommitError::OutcomeUnknown(error)) => {
                step.discard();
                self.resolve_outcome(&mark, &error).await?;
            }
        }
        self.committed_at.fetch_max(self.clock.now().as_millis(), Ordering::Relaxed);
        Ok(())
    }

    /// Asks on another connection what became of the transaction of this mark, after `lost` has left that open.
    async fn resolve_outcome(&self, mark: &CommitMarker, lost: &Error) -> Result<(), Error> {
        for attempt in 1..=MAX_ATTEMPTS {
            match self.commit_outcome(mark).await {
                Ok(CommitOutcome::Committed) => return Ok(()),
                Ok(CommitOutcome::RolledBack) => return Err(Error::RolledBack),
                // The mark is on the machine of the client: one that is given up cannot be asked.
                Err(_) if self.workers.as_ref().is_some_and(|workers| workers.is_given_up(mark.client)) => break,
                Err(_) => self.backoff(attempt).await,
            }
        }
        Err(Error::Unknown(format!("the answer to a commit was lost ({lost}), and the database cannot be asked")))
    }

    /// What became of the transaction of this mark. May be asked more than once.
    pub(super) async fn commit_outcome(&self, mark: &CommitMarker) -> Result<CommitOutcome, Error> {
        let step = timeout(RESOLVE_TIMEOUT, self.begin()).await.unwrap_or(Err(Error::Timeout))?;
        let fate = timeout(RESOLVE_TIMEOUT, decide_fate(&step, mark)).await.unwrap_or(Err(Error::Timeout));
        match fate {
            Ok(_) => step.release(),
            Err(_) => step.discard(),
        }
        fate
    }

    pub(super) fn next_marker(&self, step: &Transaction) -> CommitMarker {
        let number = self.marks.fetch_add(1, Ordering::Relaxed);
        let id = [&self.node[..], &number.to_be_bytes()].concat();
        CommitMarker { client: step.tenant(), id, at: self.clock.now() }
    }
}

/// Adds the mark as that of a transaction that is undone, unless the transaction has added it; then looks which of the two it is.
async fn decide_fate(step: &Transaction, mark: &CommitMarker) -> Result<CommitOutcome, Error> {
    step.execute_sql(session::CLAIM_MARK, values![mark.client, mark.id.clone(), mark.at]).await?;
    let row = step.row(session::FATE, values![mark.client, mark.id.clone()]).await?;
    let undone = row.map_or_else(|| Err(Error::damaged("a mark is missing")), |row| row.column(0))?;
    Ok(if undone { CommitOutcome::RolledBack } else { CommitOutcome::Committed })
}

async fn write_and_commit(step: &Transaction, mark: &CommitMarker) -> Result<(), CommitError> {
    let mut writes = step.take_writes();
    writes.push((session::MARK, values![mark.client, mark.id.clone(), mark.at]));
    let mut prepared = Vec::with_capacity(writes.len());
    for (sql, values) in &writes {
        prepared.push((step.prepared(sql).await.map_err(CommitError::NotApplied)?, values));
    }
    let writes = prepared
        .iter()
        .map(|(statement, values)| Either::Left(async { step.execute(statement, values).await.map(|_| ()) }));
    let mut answers = join_in_order(writes.chain([Either::Right(step.batch_execute(session::COMMIT))])).await;
    let committed = answers.pop().unwrap_or(Ok(()));
    // A transaction in which a statement was refused is undone by its commit.
    match answers.into_iter().find_map(Result::err) {
        Some(error) if is_lost(&error) => Err(CommitError::OutcomeUnknown(error)),
        Some(error) => Err(CommitError::NotApplied(error)),
        None => committed.map_err(|error| match &error {
            Error::Database(cause) if is_serialization_conflict(cause) => CommitError::NotApplied(error),
            _ => CommitError::OutcomeUnknown(error),
        }),
    }
}

/// Whether the connection itself is gone.
fn is_lost(error: &Error) -> bool {
    matches!(error, Error::Database(cause) if cause.as_db_error().is_none())
}

#[cfg(test)]
mod tests;
