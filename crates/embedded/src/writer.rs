//! Writer thread with group commit.
//!
//! Callers queue commands. The thread takes the queued commands as one group, runs each on the writes of the ones
//! before it, applies all writes in one batch, and then replies. Under load, all commands that arrive during one sync
//! share the next; without load a command does not wait for others.
//!
//! - A command that fails writes nothing, and the others of its group continue.
//! - A command that panics is a bug in a rule, found before anything was written: it returns `NotApplied` and the
//!   others continue. If it stopped the store, one odd request could take the service down for all clients.
//! - Dropping the future of a command cancels nothing; only its reply is lost.
//! - After an error of the engine no command of the group succeeds, not even one that wrote nothing: it may have read
//!   writes that were lost.

mod command;
mod fail_stop;
mod group_commit;
mod one_shot;
mod pending;
mod queue;
mod status;
mod waker_batch;

#[cfg(test)]
mod tests;

pub(crate) use fail_stop::FailStop;
pub(crate) use pending::PendingWrite;
pub(crate) use status::WriterStatus;

use crate::write_transaction::WriteTransaction;
use command::QueuedCommand;
use group_commit::GroupCommit;
use queue::Queue;
use std::sync::Arc;
use std::thread::JoinHandle;
use voight_domain::ports::{CommitSnapshot, Health, StoreError};
use voight_domain::vocabulary::Timestamp;
use voight_engine::{Batch, Engine};

/// Limits of a writer's queue and groups.
#[derive(Debug, Clone, Copy)]
pub(crate) struct QueueLimits {
    /// Maximum number of queued commands. Further commands are rejected, so that memory stays bounded.
    pub(crate) queue_capacity: usize,
    /// Maximum number of commands in one batch. A larger group would delay its first command for too long.
    pub(crate) max_group_size: usize,
}

/// Callback that invalidates caches. It receives each batch after the attempt to apply it, whatever the outcome, and
/// before any reply is sent.
pub(crate) type CacheInvalidator = Box<dyn Fn(&Batch) + Send>;

/// Writing half of a store.
pub(crate) struct Writer {
    queue: Arc<Queue>,
    status: Arc<WriterStatus>,
    thread: Option<JoinHandle<()>>,
}

impl Writer {
    /// Starts the thread that writes to `engine`.
    pub(crate) fn start<E: Engine>(
        engine: Arc<E>,
        limits: QueueLimits,
        status: WriterStatus,
        invalidate_cache: CacheInvalidator,
    ) -> std::io::Result<Self> {
        let queue = Arc::new(Queue::new(limits.queue_capacity));
        let status = Arc::new(status);
        let mut group = GroupCommit::new(engine, Arc::clone(&status), invalidate_cache);
        let panic_guard = PanicGuard {
            queue: Arc::clone(&queue),
            status: Arc::clone(&status),
        };
        let thread = std::thread::Builder::new()
            .name("voight-writer".into())
            .spawn(move || {
                while let Some(commands) = panic_guard
                    .queue
                    .pop_batch(limits.max_group_size, group.wait_timeout())
                {
                    if commands.is_empty() {
                        group.run_idle_work();
                    } else {
                        group.commit(commands);
                    }
                }
            })?;
        Ok(Self {
            queue,
            status,
            thread: Some(thread),
        })
    }

    /// Queues a command and returns the future of its reply.
    pub(crate) fn submit<T, F>(&self, work: F) -> PendingWrite<T>
    where
        T: Send + 'static,
        F: FnOnce(&mut WriteTransaction<'_>) -> Result<T, StoreError> + Send + 'static,
    {
        if let Err(stopped) = self.status.ensure_running() {
            return PendingWrite::rejected(stopped);
        }
        let (command, answer) = QueuedCommand::new(work);
        match self.queue.push(Box::new(command)) {
            Ok(()) => answer,
            Err(error) => PendingWrite::rejected(error),
        }
    }

    /// Returns the health of the writer.
    pub(crate) fn health(&self) -> Health {
        self.status.health()
    }

    /// Returns the time of the last durable commit.
    pub(crate) fn committed_at(&self) -> Option<Timestamp> {
        self.status.committed_at()
    }

    /// Returns the histograms of the commits.
    pub(crate) fn commits(&self) -> CommitSnapshot {
        self.status.commits().snapshot()
    }

    /// Returns the number of queued commands.
    pub(crate) fn queued_commands(&self) -> usize {
        self.queue.len()
    }

    /// Stops the writer permanently if a reader met corruption or a fatal error; ignores other errors.
    pub(crate) fn stop_on(&self, error: &StoreError) {
        self.status.fail_stop_on(error);
    }
}

/// Guard on the writer thread. If the engine panics unexpectedly, all waiting callers receive an error instead of
/// waiting forever.
struct PanicGuard {
    queue: Arc<Queue>,
    status: Arc<WriterStatus>,
}

impl Drop for PanicGuard {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.status.fail_stop("the database panicked");
            self.queue.close_and_drop();
        }
    }
}

impl Drop for Writer {
    /// Finishes the queued commands, then ends the thread.
    fn drop(&mut self) {
        self.queue.close();
        if let Some(thread) = self.thread.take() {
            // If the thread panicked, `PanicGuard` has already notified all callers.
            drop(thread.join());
        }
    }
}
