//! Runs transactions: connections, retries, timeouts.

mod commit;

use crate::connection::Transaction;
use crate::error::Error;
use crate::sql::session;
use crate::value::RowExt;
use crate::workers::{Lane, Workers};
use deadpool_postgres::Pool;
use futures_util::FutureExt;
use futures_util::future::{Either, pending, select};
use std::panic::AssertUnwindSafe;
use std::pin::{Pin, pin};
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::{Notify, OwnedSemaphorePermit};
use tokio::time::{sleep, timeout};
use voight_domain::ports::{Clock, Health, StoreError};
use voight_domain::vocabulary::Timestamp;

/// Timeout of the body of a transaction, and then again of its commit.
const TRANSACTION_TIMEOUT: Duration = Duration::from_secs(10);
/// Timeout of the health check if the URL names further hosts.
const SOON: Duration = Duration::from_secs(3);
/// Maximum number of attempts of a transaction that fails because of a conflict.
const MAX_ATTEMPTS: u32 = 8;
/// Upper bound of the first pause between two attempts. Each attempt doubles it.
const BASE_BACKOFF: Duration = Duration::from_millis(4);

/// Body of a transaction. It may run more than once, so it borrows its arguments.
pub(crate) type TransactionBody<A, T> =
    for<'a> fn(
        &'a Transaction,
        &'a A,
    ) -> Pin<Box<dyn Future<Output = Result<T, Error>> + Send + 'a>>;

/// Isolation and commit behaviour of a transaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TransactionMode {
    /// One statement, which is consistent by itself.
    Read,
    /// Reads on one snapshot.
    Snapshot,
    /// Atomic reads and writes.
    Write,
    /// Atomic reads and writes; the body begins the transaction itself, pipelined with its first reads.
    SelfManaged,
}

impl TransactionMode {
    /// Returns `true` if the writes of the body are committed.
    const fn commits(self) -> bool {
        matches!(self, Self::Write | Self::SelfManaged)
    }

    /// Returns `true` if the transaction is retried after `error`.
    ///
    /// A write is retried after a lock timeout. A batch of lookups is not, so that its callers are answered at once; it
    /// is retried after a unique violation, because its next attempt reads the row that was inserted meanwhile. Both are
    /// retried after the change of a verdict that they mark.
    fn should_retry(self, error: &Error) -> bool {
        error.is_retryable()
            || match self {
                Self::Write => error.is_lock_timeout() || error.is_outdated_record(),
                Self::SelfManaged => error.is_unique_violation() || error.is_outdated_record(),
                Self::Read | Self::Snapshot => false,
            }
    }
}

/// Runs transactions on the connections of a pool.
pub(crate) struct TransactionRunner {
    pool: Pool,
    clock: Arc<dyn Clock>,
    /// Random bytes that make the commit markers of this process unique.
    node: [u8; 16],
    marks: AtomicU64,
    committed_at: AtomicI64,
    /// Error of the last health check; `None` while the database is reachable.
    unreachable_reason: Mutex<Option<String>>,
    /// Servers of a distributed store.
    workers: Option<Arc<Workers>>,
    /// `true` when the URL names further hosts that may answer if the current one does not.
    has_other_hosts: bool,
    /// Notifies transactions that their host was given up.
    given_up: Notify,
}

impl TransactionRunner {
    /// Creates a runner on `pool`; `node` are random bytes that identify this process.
    pub(crate) fn new(pool: Pool, clock: Arc<dyn Clock>, node: [u8; 16]) -> Self {
        Self {
            pool,
            clock,
            node,
            marks: AtomicU64::default(),
            committed_at: AtomicI64::new(i64::MIN),
            unreachable_reason: Mutex::default(),
            workers: None,
            has_other_hosts: false,
            given_up: Notify::new(),
        }
    }

    /// Sets the servers of a distributed store.
    pub(crate) fn with_workers(self, workers: Option<Arc<Workers>>) -> Self {
        Self { workers, ..self }
    }

    /// Sets if the URL names further hosts.
    pub(crate) fn with_other_hosts(self, has_other_hosts: bool) -> Self {
        Self {
            has_other_hosts,
            ..self
        }
    }

    /// Returns the current time.
    pub(crate) fn now(&self) -> Timestamp {
        self.clock.now()
    }

    /// Returns the time of the last durable commit of this process.
    pub(crate) fn committed_at(&self) -> Option<Timestamp> {
        let at = self.committed_at.load(Ordering::Relaxed);
        (at != i64::MIN).then(|| Timestamp::from_millis(at))
    }

    /// Returns the result of the last [health check](Self::probe).
    pub(crate) fn health(&self) -> Health {
        let unreachable = self
            .unreachable_reason
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone();
        let of_workers = || {
            self.workers
                .as_ref()
                .map_or(Health::Ready, |workers| workers.health())
        };
        unreachable.map_or_else(of_workers, Health::Unreachable)
    }

    /// Returns the servers of a distributed store.
    pub(crate) fn workers(&self) -> Option<Arc<Workers>> {
        self.workers.clone()
    }

    /// Runs one health check of the database.
    pub(crate) async fn probe(&self) {
        let limit = if self.has_other_hosts {
            SOON
        } else {
            TRANSACTION_TIMEOUT
        };
        let answer = self
            .ask_within(limit, &(), |transaction, ()| {
                Box::pin(ensure_writable(transaction))
            })
            .await;
        if matches!(answer, Err(Error::Timeout)) {
            self.close_idle();
            if self.has_other_hosts {
                // Another host may answer the transactions that wait for this one.
                self.given_up.notify_waiters();
            }
        }
        let why = answer.err().map(|error| error.to_string());
        let mut unreachable = self
            .unreachable_reason
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        match (&*unreachable, &why) {
            (None, Some(why)) => tracing::error!(
                event = "store_unavailable",
                why,
                "the database is unavailable"
            ),
            (Some(_), None) => tracing::info!(event = "store_recovered", "the database is back"),
            _ => {}
        }
        *unreachable = why;
    }

    /// Runs a single read with a timeout, without a permit, so that other calls do not delay it.
    pub(crate) async fn ask_within<A, T>(
        &self,
        limit: Duration,
        arguments: &A,
        work: TransactionBody<A, T>,
    ) -> Result<T, Error> {
        let transaction = timeout(limit, self.begin())
            .await
            .unwrap_or(Err(Error::Timeout))?;
        match timeout(limit, work(&transaction, arguments))
            .await
            .unwrap_or(Err(Error::Timeout))
        {
            Ok(value) => {
                transaction.release();
                Ok(value)
            }
            Err(error) => {
                transaction.discard();
                Err(error)
            }
        }
    }

    /// Runs a transaction. Retries it until it succeeds or fails with an error that a retry does not change.
    pub(crate) async fn run<A, T>(
        &self,
        mode: TransactionMode,
        arguments: &A,
        work: TransactionBody<A, T>,
    ) -> Result<T, Error> {
        self.run_in(Lane::Any, mode, arguments, work).await
    }

    /// Runs a transaction like [`run`](Self::run), in a lane that names the server that it waits for.
    pub(crate) async fn run_in<A, T>(
        &self,
        lane: Lane,
        mode: TransactionMode,
        arguments: &A,
        work: TransactionBody<A, T>,
    ) -> Result<T, Error> {
        let mut attempt = 1;
        loop {
            match self.attempt(lane, mode, arguments, work).await {
                Err(error) if attempt < MAX_ATTEMPTS && mode.should_retry(&error) => {
                    self.backoff(attempt).await;
                }
                outcome => return outcome,
            }
            attempt += 1;
        }
    }

    async fn attempt<A, T>(
        &self,
        lane: Lane,
        mode: TransactionMode,
        arguments: &A,
        work: TransactionBody<A, T>,
    ) -> Result<T, Error> {
        let _permit = self.admit(lane).await?;
        let transaction = self.begin_in(lane).await?;
        let attempt = AssertUnwindSafe(timeout(
            TRANSACTION_TIMEOUT,
            self.run_once(&transaction, mode, arguments, work),
        ))
        .catch_unwind();
        let Some(outcome) = self.unless_given_up(lane, attempt).await else {
            transaction.discard();
            return Err(Error::RolledBack);
        };
        match outcome {
            Ok(Ok(Ok(value))) if mode.commits() => {
                self.commit(lane, transaction).await.map(|()| value)
            }
            Ok(Ok(Ok(value))) => {
                transaction.release();
                Ok(value)
            }
            Ok(Ok(Err(error))) => {
                rollback(transaction, mode, &error).await;
                Err(error)
            }
            Ok(Err(_)) => {
                transaction.discard();
                self.close_idle_connections();
                Err(Error::Timeout)
            }
            Err(_) => {
                transaction.discard();
                Err(StoreError::NotApplied("the call panicked".to_owned()).into())
            }
        }
    }

    /// Awaits `waiting`; returns `None` if its host, or the server of its lane, is given up first.
    async fn unless_given_up<F: Future>(&self, lane: Lane, waiting: F) -> Option<F::Output> {
        let of_node = self
            .workers
            .as_ref()
            .and_then(|workers| workers.given_up(lane));
        let of_node = async move {
            match of_node {
                Some(given_up) => given_up.notified().await,
                None => pending().await,
            }
        };
        let of_host = pin!(self.given_up.notified());
        let of_node = pin!(of_node);
        match select(pin!(waiting), select(of_host, of_node)).await {
            Either::Left((outcome, _)) => Some(outcome),
            Either::Right(_) => None,
        }
    }

    /// Closes idle connections after a timeout, because they probably lead to the same hanging server.
    ///
    /// Keeps them on a cluster, where a server behind the connected one may have caused the timeout; the health checks
    /// find it.
    fn close_idle_connections(&self) {
        if self.workers.is_none() {
            self.close_idle();
        }
    }

    fn close_idle(&self) {
        self.pool.retain(|_, _| false);
    }

    /// Waits for a permit of the lane. A store on one server needs none.
    async fn admit(&self, lane: Lane) -> Result<Option<OwnedSemaphorePermit>, Error> {
        let Some(workers) = &self.workers else {
            return Ok(None);
        };
        if let Lane::Of(client) = lane
            && workers.known(client).is_none()
        {
            let transaction = self.begin().await?;
            let locate_result = timeout(TRANSACTION_TIMEOUT, workers.locate(&transaction, client))
                .await
                .unwrap_or(Err(Error::Timeout));
            match locate_result {
                Ok(()) => transaction.release(),
                Err(error) => {
                    transaction.discard();
                    return Err(error);
                }
            }
        }
        workers.admit(lane).await
    }

    /// Connects to the server of the lane if possible, else to the current host of the URL.
    async fn begin_in(&self, lane: Lane) -> Result<Transaction, Error> {
        if let Some(workers) = &self.workers
            && let Some(connection) = workers.connect(lane).await
        {
            return Ok(Transaction::new(connection, Arc::clone(&self.clock)));
        }
        self.begin().await
    }

    async fn begin(&self) -> Result<Transaction, Error> {
        let connection = self
            .pool
            .get()
            .await
            .map_err(|error| Error::Unreachable(crate::connect::describe(&error)))?;
        Ok(Transaction::new(connection, Arc::clone(&self.clock)))
    }

    async fn run_once<A, T>(
        &self,
        transaction: &Transaction,
        mode: TransactionMode,
        arguments: &A,
        work: TransactionBody<A, T>,
    ) -> Result<T, Error> {
        match mode {
            TransactionMode::Read | TransactionMode::SelfManaged => {
                work(transaction, arguments).await
            }
            TransactionMode::Snapshot => {
                transaction.batch_execute(session::BEGIN_SNAPSHOT).await?;
                let value = work(transaction, arguments).await?;
                transaction.batch_execute(session::COMMIT).await?;
                Ok(value)
            }
            TransactionMode::Write => {
                transaction.batch_execute(session::BEGIN).await?;
                work(transaction, arguments).await
            }
        }
    }

    /// Sleeps for a random time, so that two conflicting transactions do not collide again.
    ///
    /// The time depends on the node and on the number of the pause, and its upper bound doubles with each attempt.
    async fn backoff(&self, attempt: u32) {
        let number = self.marks.fetch_add(1, Ordering::Relaxed);
        let [part, ..] =
            *blake3::hash(&[&self.node[..], &number.to_be_bytes()].concat()).as_bytes();
        let longest = BASE_BACKOFF * 2_u32.saturating_pow(attempt.saturating_sub(1));
        sleep(longest / 256 * u32::from(part)).await;
    }
}

/// Rejects a server that has become a standby.
async fn ensure_writable(transaction: &Transaction) -> Result<(), Error> {
    let row = transaction.row(session::ASK, Vec::new()).await?;
    match row
        .map(|row| row.column::<String>(0))
        .transpose()?
        .as_deref()
    {
        Some("on") => Err(Error::Unreachable(
            "the server takes no writes, as a standby does".to_owned(),
        )),
        _ => Ok(()),
    }
}

/// Ends the transaction of a failed body, and closes the connection unless it is still usable.
async fn rollback(transaction: Transaction, mode: TransactionMode, error: &Error) {
    match mode {
        _ if !error.keeps_connection_usable() => transaction.discard(),
        TransactionMode::Read => transaction.release(),
        TransactionMode::Snapshot | TransactionMode::Write | TransactionMode::SelfManaged => {
            transaction.roll_back().await;
        }
    }
}
