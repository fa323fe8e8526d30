//! Running steps: connections, retries, and commits whose answer is lost.

use crate::error::{Error, conflicts};
use crate::pipeline::in_order;
use crate::sql::session;
use crate::step::Step;
use crate::value::values;
use deadpool_postgres::Pool;
use futures_util::FutureExt;
use futures_util::future::Either;
use std::panic::AssertUnwindSafe;
use std::pin::Pin;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::time::{sleep, timeout};
use voight_domain::ports::{Clock, Health};
use voight_domain::vocabulary::{ClientId, Timestamp};

/// How long a step, and then its commit, may take.
const PATIENCE: Duration = Duration::from_secs(10);
/// How often a step is tried that another one was in the way of.
const ATTEMPTS: u32 = 8;
/// How long the first pause between two attempts is, at most. Each is up to twice as long as the one before.
const PAUSE: Duration = Duration::from_millis(4);

/// What a step does. It may run more than once, so it has its arguments by reference.
pub(crate) type Work<A, T> = for<'a> fn(&'a Step, &'a A) -> Pin<Box<dyn Future<Output = Result<T, Error>> + Send + 'a>>;

/// How the statements of a step go together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mode {
    /// One statement, which is a moment by itself.
    Read,
    /// Reads of one moment.
    Snapshot,
    /// Reads and writes, all or nothing.
    Write,
    /// The same; the step begins the transaction itself, together with its first reads.
    Group,
}

impl Mode {
    /// Whether what the step has written is to be committed.
    const fn commits(self) -> bool {
        matches!(self, Self::Write | Self::Group)
    }
}

/// Runs steps on connections of a pool.
pub(crate) struct Transactions {
    pool: Pool,
    clock: Arc<dyn Clock>,
    /// What makes the marks of this process different from those of all others.
    node: [u8; 16],
    marks: AtomicU64,
    committed_at: AtomicI64,
    /// Why the database cannot be reached, while it cannot be.
    away: Mutex<Option<String>>,
}

/// The mark of a transaction.
struct Mark {
    client: ClientId,
    id: Vec<u8>,
    at: Timestamp,
}

impl Transactions {
    /// On this pool; `node` are random bytes.
    pub(crate) fn on(pool: Pool, clock: Arc<dyn Clock>, node: [u8; 16]) -> Self {
        Self {
            pool,
            clock,
            node,
            marks: AtomicU64::default(),
            committed_at: AtomicI64::new(i64::MIN),
            away: Mutex::default(),
        }
    }

    /// When a change was last made durable.
    pub(crate) fn committed_at(&self) -> Option<Timestamp> {
        let at = self.committed_at.load(Ordering::Relaxed);
        (at != i64::MIN).then(|| Timestamp::from_millis(at))
    }

    /// Whether the database was there when it was last [looked for](Self::look).
    pub(crate) fn health(&self) -> Health {
        let away = self.away.lock().unwrap_or_else(PoisonError::into_inner);
        away.clone().map_or(Health::Ready, Health::Away)
    }

    /// Looks whether the database is there.
    pub(crate) async fn look(&self) {
        let asked = self.run(Mode::Read, &(), |step, ()| Box::pin(step.say(session::ASK))).await;
        let why = asked.err().map(|error| error.to_string());
        let mut away = self.away.lock().unwrap_or_else(PoisonError::into_inner);
        match (&*away, &why) {
            (None, Some(why)) => tracing::error!(why, "the database is away"),
            (Some(_), None) => tracing::info!("the database is back"),
            _ => {}
        }
        *away = why;
    }

    /// Runs a step until it is through, or until it fails for a reason that trying again does not change.
    pub(crate) async fn run<A, T>(&self, mode: Mode, arguments: &A, work: Work<A, T>) -> Result<T, Error> {
        let mut attempt = 1;
        loop {
            match self.attempt(mode, arguments, work).await {
                Err(error) if error.may_be_tried_again() && attempt < ATTEMPTS => self.pause(attempt).await,
                outcome => return outcome,
            }
            attempt += 1;
        }
    }

    async fn attempt<A, T>(&self, mode: Mode, arguments: &A, work: Work<A, T>) -> Result<T, Error> {
        let step = self.begin().await?;
        let guarded = AssertUnwindSafe(timeout(PATIENCE, self.perform(&step, mode, arguments, work))).catch_unwind();
        match guarded.await {
            Ok(Ok(Ok(value))) if mode.commits() => self.commit(step).await.map(|()| value),
            Ok(Ok(Ok(value))) => {
                step.give_back();
                Ok(value)
            }
            Ok(Ok(Err(error))) => {
                undo(step, mode, &error).await;
                Err(error)
            }
            Ok(Err(_)) => {
                step.discard();
                Err(Error::Silent)
            }
            Err(_) => {
                step.discard();
                Err(Error::Unreachable("a call panicked before its transaction ended".to_owned()))
            }
        }
    }

    async fn begin(&self) -> Result<Step, Error> {
        let connection = self.pool.get().await.map_err(|error| Error::Unreachable(crate::connect::in_words(&error)))?;
        Ok(Step::on(connection, Arc::clone(&self.clock)))
    }

    async fn perform<A, T>(&self, step: &Step, mode: Mode, arguments: &A, work: Work<A, T>) -> Result<T, Error> {
        match mode {
            Mode::Read | Mode::Group => work(step, arguments).await,
            Mode::Snapshot => {
                step.say(session::BEGIN_SNAPSHOT).await?;
                let value = work(step, arguments).await?;
                step.say(session::COMMIT).await?;
                Ok(value)
            }
            Mode::Write => {
                step.say(session::BEGIN).await?;
                work(step, arguments).await
            }
        }
    }

    /// Sends what is left to write, the mark and the commit, all at once. If the answer is lost, the mark tells what came of it.
    async fn commit(&self, step: Step) -> Result<(), Error> {
        if !step.has_written() {
            step.roll_back().await;
            return Ok(());
        }
        let mark = self.next_mark(&step);
        let written = timeout(PATIENCE, write_and_commit(&step, &mark)).await;
        match written.unwrap_or(Err(Interrupted::Meanwhile(Error::Silent))) {
            Ok(()) => step.give_back(),
            Err(Interrupted::Before(error)) => {
                step.discard();
                return Err(error);
            }
            Err(Interrupted::Meanwhile(error)) => {
                step.discard();
                self.read_back(&mark, &error).await?;
            }
        }
        self.committed_at.fetch_max(self.clock.now().as_millis(), Ordering::Relaxed);
        Ok(())
    }

    /// Asks on another connection whether the transaction of this mark was committed, after `lost` has left that open; if not, it
    /// never will be.
    async fn read_back(&self, mark: &Mark, lost: &Error) -> Result<(), Error> {
        for attempt in 1..=ATTEMPTS {
            match timeout(PATIENCE, self.claim(mark)).await {
                Ok(Ok(true)) => return Err(Error::Undone),
                Ok(Ok(false)) => return Ok(()),
                Ok(Err(_)) | Err(_) => self.pause(attempt).await,
            }
        }
        Err(Error::Unknown(format!("the answer to a commit was lost ({lost}), and the database cannot be asked")))
    }

    /// Adds the mark; `false` if it is there.
    async fn claim(&self, mark: &Mark) -> Result<bool, Error> {
        let step = self.begin().await?;
        match step.run(session::CLAIM_MARK, values![mark.client, mark.id.clone(), mark.at]).await {
            Ok(added) => {
                step.give_back();
                Ok(added > 0)
            }
            Err(error) => {
                step.discard();
                Err(error)
            }
        }
    }

    fn next_mark(&self, step: &Step) -> Mark {
        let number = self.marks.fetch_add(1, Ordering::Relaxed);
        let id = [&self.node[..], &number.to_be_bytes()].concat();
        Mark { client: step.tenant(), id, at: self.clock.now() }
    }

    /// Waits for a while that differs between nodes and from time to time, so that two in each other's way do not meet again.
    async fn pause(&self, attempt: u32) {
        let number = self.marks.fetch_add(1, Ordering::Relaxed);
        let [part, ..] = *blake3::hash(&[&self.node[..], &number.to_be_bytes()].concat()).as_bytes();
        let longest = PAUSE * 2_u32.saturating_pow(attempt.saturating_sub(1));
        sleep(longest / 256 * u32::from(part)).await;
    }
}

/// Where a commit was interrupted.
enum Interrupted {
    /// It was refused: nothing is changed.
    Before(Error),
    /// It may have taken place.
    Meanwhile(Error),
}

async fn write_and_commit(step: &Step, mark: &Mark) -> Result<(), Interrupted> {
    let mut writes = step.take_writes();
    writes.push((session::MARK, values![mark.client, mark.id.clone(), mark.at]));
    let mut prepared = Vec::with_capacity(writes.len());
    for (sql, values) in &writes {
        prepared.push((step.prepared(sql).await.map_err(Interrupted::Before)?, values));
    }
    let writes = prepared
        .iter()
        .map(|(statement, values)| Either::Left(async { step.execute(statement, values).await.map(|_| ()) }));
    let mut answers = in_order(writes.chain([Either::Right(step.say(session::COMMIT))])).await;
    let committed = answers.pop().unwrap_or(Ok(()));
    // A transaction in which a statement was refused is undone by its commit.
    match answers.into_iter().find_map(Result::err) {
        Some(error @ Error::Database(_)) if !is_lost(&error) => Err(Interrupted::Before(error)),
        Some(error) => Err(Interrupted::Meanwhile(error)),
        None => committed.map_err(|error| match &error {
            Error::Database(cause) if conflicts(cause) => Interrupted::Before(error),
            _ => Interrupted::Meanwhile(error),
        }),
    }
}

/// Whether the connection itself is gone.
fn is_lost(error: &Error) -> bool {
    matches!(error, Error::Database(cause) if cause.as_db_error().is_none())
}

/// Ends what a failed step has begun.
async fn undo(step: Step, mode: Mode, error: &Error) {
    match mode {
        _ if !error.leaves_the_connection() => step.discard(),
        Mode::Read => step.give_back(),
        Mode::Snapshot | Mode::Write | Mode::Group => step.roll_back().await,
    }
}
