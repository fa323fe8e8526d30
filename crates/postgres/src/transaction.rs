//! Running steps: connections, retries, time-outs.

mod commit;

use crate::error::Error;
use crate::sql::session;
use crate::step::Transaction;
use crate::value::RowExt;
use deadpool_postgres::Pool;
use futures_util::FutureExt;
use std::panic::AssertUnwindSafe;
use std::pin::Pin;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::time::{sleep, timeout};
use voight_domain::ports::{Clock, Health, StoreError};
use voight_domain::vocabulary::Timestamp;

/// How long a step, and then its commit, may take.
const TRANSACTION_TIMEOUT: Duration = Duration::from_secs(10);
/// How often a step is tried that another one was in the way of.
const MAX_ATTEMPTS: u32 = 8;
/// How long the first pause between two attempts is, at most. Each is up to twice as long as the one before.
const BASE_BACKOFF: Duration = Duration::from_millis(4);

/// What a step does. It may run more than once, so it has its arguments by reference.
pub(crate) type TransactionBody<A, T> =
    for<'a> fn(&'a Transaction, &'a A) -> Pin<Box<dyn Future<Output = Result<T, Error>> + Send + 'a>>;

/// How the statements of a step go together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TransactionMode {
    /// One statement, which is a moment by itself.
    Read,
    /// Reads of one moment.
    Snapshot,
    /// Reads and writes, all or nothing.
    Write,
    /// The same; the step begins the transaction itself, together with its first reads.
    SelfManaged,
}

impl TransactionMode {
    /// Whether what the step has written is to be committed.
    const fn commits(self) -> bool {
        matches!(self, Self::Write | Self::SelfManaged)
    }

    /// Whether a step that has failed so is tried again. A write that had to wait waits on; a lookup's caller is told at once, and
    /// its step has looked for what it adds, so that what was added meanwhile is found the next time.
    fn should_retry(self, error: &Error) -> bool {
        error.is_retryable()
            || match self {
                Self::Write => error.is_lock_timeout(),
                Self::SelfManaged => error.is_unique_violation(),
                Self::Read | Self::Snapshot => false,
            }
    }
}

/// Runs steps on connections of a pool.
pub(crate) struct TransactionRunner {
    pool: Pool,
    clock: Arc<dyn Clock>,
    /// What makes the marks of this process different from those of all others.
    node: [u8; 16],
    marks: AtomicU64,
    committed_at: AtomicI64,
    /// Why the database cannot be reached, while it cannot be.
    unreachable_reason: Mutex<Option<String>>,
}

impl TransactionRunner {
    /// On this pool; `node` are random bytes.
    pub(crate) fn new(pool: Pool, clock: Arc<dyn Clock>, node: [u8; 16]) -> Self {
        Self {
            pool,
            clock,
            node,
            marks: AtomicU64::default(),
            committed_at: AtomicI64::new(i64::MIN),
            unreachable_reason: Mutex::default(),
        }
    }

    /// The time.
    pub(crate) fn now(&self) -> Timestamp {
        self.clock.now()
    }

    /// When a change was last made durable.
    pub(crate) fn committed_at(&self) -> Option<Timestamp> {
        let at = self.committed_at.load(Ordering::Relaxed);
        (at != i64::MIN).then(|| Timestamp::from_millis(at))
    }

    /// Whether the database was there when it was last [looked for](Self::look).
    pub(crate) fn health(&self) -> Health {
        let away = self.unreachable_reason.lock().unwrap_or_else(PoisonError::into_inner);
        away.clone().map_or(Health::Ready, Health::Unreachable)
    }

    /// Looks whether the database is there.
    pub(crate) async fn probe(&self) {
        let asked = self.run(TransactionMode::Read, &(), |step, ()| Box::pin(ensure_writable(step))).await;
        let why = asked.err().map(|error| error.to_string());
        let mut away = self.unreachable_reason.lock().unwrap_or_else(PoisonError::into_inner);
        match (&*away, &why) {
            (None, Some(why)) => tracing::error!(why, "the database is away"),
            (Some(_), None) => tracing::info!("the database is back"),
            _ => {}
        }
        *away = why;
    }

    /// Runs a step until it is through, or until it fails for a reason that trying again does not change.
    pub(crate) async fn run<A, T>(
        &self,
        mode: TransactionMode,
        arguments: &A,
        work: TransactionBody<A, T>,
    ) -> Result<T, Error> {
        let mut attempt = 1;
        loop {
            match self.attempt(mode, arguments, work).await {
                Err(error) if attempt < MAX_ATTEMPTS && mode.should_retry(&error) => self.backoff(attempt).await,
                outcome => return outcome,
            }
            attempt += 1;
        }
    }

    async fn attempt<A, T>(
        &self,
        mode: TransactionMode,
        arguments: &A,
        work: TransactionBody<A, T>,
    ) -> Result<T, Error> {
        let step = self.begin().await?;
        let guarded =
            AssertUnwindSafe(timeout(TRANSACTION_TIMEOUT, self.run_once(&step, mode, arguments, work))).catch_unwind();
        match guarded.await {
            Ok(Ok(Ok(value))) if mode.commits() => self.commit(step).await.map(|()| value),
            Ok(Ok(Ok(value))) => {
                step.release();
                Ok(value)
            }
            Ok(Ok(Err(error))) => {
                rollback(step, mode, &error).await;
                Err(error)
            }
            Ok(Err(_)) => {
                step.discard();
                self.close_idle_connections();
                Err(Error::Timeout)
            }
            Err(_) => {
                step.discard();
                Err(StoreError::NotApplied("the call panicked".to_owned()).into())
            }
        }
    }

    /// Closes the connections that wait for work: where one has got no answer, the others hardly will.
    fn close_idle_connections(&self) {
        self.pool.retain(|_, _| false);
    }

    async fn begin(&self) -> Result<Transaction, Error> {
        let connection = self.pool.get().await.map_err(|error| Error::Unreachable(crate::connect::describe(&error)))?;
        Ok(Transaction::new(connection, Arc::clone(&self.clock)))
    }

    async fn run_once<A, T>(
        &self,
        step: &Transaction,
        mode: TransactionMode,
        arguments: &A,
        work: TransactionBody<A, T>,
    ) -> Result<T, Error> {
        match mode {
            TransactionMode::Read | TransactionMode::SelfManaged => work(step, arguments).await,
            TransactionMode::Snapshot => {
                step.batch_execute(session::BEGIN_SNAPSHOT).await?;
                let value = work(step, arguments).await?;
                step.batch_execute(session::COMMIT).await?;
                Ok(value)
            }
            TransactionMode::Write => {
                step.batch_execute(session::BEGIN).await?;
                work(step, arguments).await
            }
        }
    }

    /// Waits for a while that differs between nodes and from time to time, so that two in each other's way do not meet again.
    async fn backoff(&self, attempt: u32) {
        let number = self.marks.fetch_add(1, Ordering::Relaxed);
        let [part, ..] = *blake3::hash(&[&self.node[..], &number.to_be_bytes()].concat()).as_bytes();
        let longest = BASE_BACKOFF * 2_u32.saturating_pow(attempt.saturating_sub(1));
        sleep(longest / 256 * u32::from(part)).await;
    }
}

/// Refuses a server that has become a standby.
async fn ensure_writable(step: &Transaction) -> Result<(), Error> {
    let row = step.row(session::ASK, Vec::new()).await?;
    match row.map(|row| row.column::<String>(0)).transpose()?.as_deref() {
        Some("on") => Err(Error::Unreachable("the server takes no writes, as a standby does".to_owned())),
        _ => Ok(()),
    }
}

/// Ends what a failed step has begun.
async fn rollback(step: Transaction, mode: TransactionMode, error: &Error) {
    match mode {
        _ if !error.keeps_connection_usable() => step.discard(),
        TransactionMode::Read => step.release(),
        TransactionMode::Snapshot | TransactionMode::Write | TransactionMode::SelfManaged => step.roll_back().await,
    }
}
