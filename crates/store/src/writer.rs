//! One thread that writes.
//!
//! Callers hand in commands; the thread takes what is queued, runs each command on what the ones before it have left,
//! applies all their writes in one batch, and only then answers. Under load a sync is thereby shared by everybody who
//! waited for the one before; without load a command waits for nobody.
//!
//! - A command that fails leaves nothing behind, and the others of its group go on.
//! - A command that panics is a bug in a rule, found before anything was written: it is answered `NotApplied` and the
//!   others go on. Stopping the store for it would let one odd request take the service down for everybody.
//! - Dropping the future of a command cancels nothing; only its answer is lost.
//! - After an error of the engine nobody in the group is told that it succeeded, not even a command that wrote nothing:
//!   it may have read what was not kept.

mod failure;
mod group;
mod latch;
mod pending;
mod queue;
mod slot;
mod submitted;
mod wakes;

#[cfg(test)]
mod tests;

pub(crate) use failure::FailStop;
pub(crate) use latch::WriterStatus;
pub(crate) use pending::PendingWrite;

use crate::step::WriteTransaction;
use crate::{Batch, Engine};
use group::GroupCommit;
use queue::Queue;
use std::sync::Arc;
use std::thread::JoinHandle;
use submitted::QueuedCommand;
use voight_domain::ports::{Health, StoreError};
use voight_domain::vocabulary::Timestamp;

/// How much a writer takes at a time.
#[derive(Debug, Clone, Copy)]
pub(crate) struct QueueLimits {
    /// Commands that may wait; one more is refused, so that memory stays bounded.
    pub(crate) queue_capacity: usize,
    /// Commands that share one batch; more would make the first of them wait for too long.
    pub(crate) max_group_size: usize,
}

/// Called with each batch after it was tried, whatever became of it, before anybody is answered: drops what is cached of it.
pub(crate) type CacheInvalidator = Box<dyn Fn(&Batch) + Send>;

/// The writing half of a store.
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
        latch: WriterStatus,
        forget: CacheInvalidator,
    ) -> std::io::Result<Self> {
        let (queue, latch) = (Arc::new(Queue::new(limits.queue_capacity)), Arc::new(latch));
        let mut group = GroupCommit::new(engine, Arc::clone(&latch), forget);
        let alarm = PanicGuard { queue: Arc::clone(&queue), latch: Arc::clone(&latch) };
        let thread = std::thread::Builder::new().name("voight-writer".into()).spawn(move || {
            while let Some(commands) = alarm.queue.pop_batch(limits.max_group_size, group.wait_timeout()) {
                if commands.is_empty() { group.run_idle_work() } else { group.commit(commands) }
            }
        })?;
        Ok(Self { queue, status: latch, thread: Some(thread) })
    }

    /// Queues a command; the future is its answer.
    pub(crate) fn submit<T, F>(&self, work: F) -> PendingWrite<T>
    where
        T: Send + 'static,
        F: FnOnce(&mut WriteTransaction<'_>) -> Result<T, StoreError> + Send + 'static,
    {
        if let Err(stopped) = self.status.ensure_running() {
            return PendingWrite::refused(stopped);
        }
        let (command, answer) = QueuedCommand::new(work);
        match self.queue.push(Box::new(command)) {
            Ok(()) => answer,
            Err(refused) => PendingWrite::refused(refused),
        }
    }

    /// Whether it takes writes.
    pub(crate) fn health(&self) -> Health {
        self.status.health()
    }

    /// When it last made a change durable.
    pub(crate) fn committed_at(&self) -> Option<Timestamp> {
        self.status.committed_at()
    }

    /// Stops taking writes for good because of an error that a reader met; others are let through.
    pub(crate) fn stop_on(&self, error: &StoreError) {
        self.status.fail_stop_on(error);
    }
}

/// Lives on the writing thread. Should an engine panic where nobody expects it, everybody is told instead of waiting for ever.
struct PanicGuard {
    queue: Arc<Queue>,
    latch: Arc<WriterStatus>,
}

impl Drop for PanicGuard {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.latch.fail_stop("the database panicked");
            self.queue.close_and_drop();
        }
    }
}

impl Drop for Writer {
    /// Answers what is queued, then ends the thread.
    fn drop(&mut self) {
        self.queue.close();
        if let Some(thread) = self.thread.take() {
            // A thread that panicked has told everybody already.
            drop(thread.join());
        }
    }
}
