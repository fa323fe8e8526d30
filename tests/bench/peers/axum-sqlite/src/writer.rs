//! Writer thread.

use rusqlite::{Connection, Transaction};
use std::iter::once;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use tokio::sync::oneshot;
use voight_peer_axum::Failure;

/// Maximum number of jobs per transaction.
const BATCH: usize = 256;

/// Job in a transaction. The returned closure is called with the outcome of the commit.
type Job = Box<dyn FnOnce(&Connection) -> Answer + Send>;
type Answer = Box<dyn FnOnce(Result<(), Failure>) + Send>;

/// Sender of jobs to the writer thread.
pub(crate) struct Writer(Sender<Job>);

impl Writer {
    pub(crate) fn start(connection: Connection) -> std::io::Result<Self> {
        let (sender, jobs) = channel();
        thread::Builder::new().name("writer".to_owned()).spawn(move || write(connection, &jobs))?;
        Ok(Self(sender))
    }

    /// Runs the job in the next transaction; returns when it is durable.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        step: impl FnOnce(&Connection) -> Result<T, Failure> + Send + 'static,
    ) -> Result<T, Failure> {
        let (sender, answer) = oneshot::channel();
        let job = move |connection: &Connection| -> Answer {
            let step_result = step(connection);
            // The request may have been cancelled.
            Box::new(move |commit_result| drop(sender.send(commit_result.and(step_result))))
        };
        let end_failure = || Failure::Broken("the writer has ended".to_owned());
        self.0.send(Box::new(job)).map_err(|_| end_failure())?;
        answer.await.map_err(|_| end_failure())?
    }
}

fn write(mut connection: Connection, jobs: &Receiver<Job>) {
    while let Ok(first) = jobs.recv() {
        // Requests that are ready now can still join this commit.
        thread::yield_now();
        let batch = once(first).chain(jobs.try_iter()).take(BATCH);
        match connection.transaction() {
            Ok(transaction) => commit(transaction, batch),
            Err(error) => eprintln!("no transaction can begin: {error}"),
        }
    }
}

fn commit(transaction: Transaction<'_>, batch: impl Iterator<Item = Job>) {
    let answers: Vec<Answer> = batch.map(|job| job(&transaction)).collect();
    let commit_result = transaction.commit().map_err(|error| Failure::Broken(error.to_string()));
    for answer in answers {
        answer(commit_result.clone());
    }
}
