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

pub(crate) use failure::Failure;
pub(crate) use latch::Latch;
pub(crate) use pending::Pending;

use crate::step::Step;
use crate::{Batch, Engine};
use group::Group;
use queue::Queue;
use std::sync::Arc;
use std::thread::JoinHandle;
use submitted::Submitted;
use voight_domain::ports::{Health, StoreError};
use voight_domain::vocabulary::Timestamp;

/// How much a writer takes at a time.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits {
    /// Commands that may wait; one more is refused, so that memory stays bounded.
    pub(crate) queue: usize,
    /// Commands that share one batch; more would make the first of them wait for too long.
    pub(crate) group: usize,
}

/// Called with each batch after it was tried, whatever became of it, before anybody is answered: drops what is cached of it.
pub(crate) type Forget = Box<dyn Fn(&Batch) + Send>;

/// The writing half of a store.
pub(crate) struct Writer {
    queue: Arc<Queue>,
    latch: Arc<Latch>,
    thread: Option<JoinHandle<()>>,
}

impl Writer {
    /// Starts the thread that writes to `engine`.
    pub(crate) fn start<E: Engine>(
        engine: Arc<E>,
        limits: Limits,
        latch: Latch,
        forget: Forget,
    ) -> std::io::Result<Self> {
        let (queue, latch) = (Arc::new(Queue::new(limits.queue)), Arc::new(latch));
        let mut group = Group::new(engine, Arc::clone(&latch), forget);
        let alarm = Alarm { queue: Arc::clone(&queue), latch: Arc::clone(&latch) };
        let thread = std::thread::Builder::new().name("voight-writer".into()).spawn(move || {
            while let Some(commands) = alarm.queue.take(limits.group, group.patience()) {
                if commands.is_empty() { group.rest() } else { group.turn(commands) }
            }
        })?;
        Ok(Self { queue, latch, thread: Some(thread) })
    }

    /// Queues a command; the future is its answer.
    pub(crate) fn submit<T, F>(&self, work: F) -> Pending<T>
    where
        T: Send + 'static,
        F: FnOnce(&mut Step<'_>) -> Result<T, StoreError> + Send + 'static,
    {
        if let Err(stopped) = self.latch.check() {
            return Pending::refused(stopped);
        }
        let (command, answer) = Submitted::new(work);
        match self.queue.push(Box::new(command)) {
            Ok(()) => answer,
            Err(refused) => Pending::refused(refused),
        }
    }

    /// Whether it takes writes.
    pub(crate) fn health(&self) -> Health {
        self.latch.health()
    }

    /// When it last made a change durable.
    pub(crate) fn committed_at(&self) -> Option<Timestamp> {
        self.latch.committed_at()
    }

    /// Stops taking writes for good because of an error that a reader met; others are let through.
    pub(crate) fn stop_on(&self, error: &StoreError) {
        self.latch.stop_on(error);
    }
}

/// Lives on the writing thread. Should an engine panic where nobody expects it, everybody is told instead of waiting for ever.
struct Alarm {
    queue: Arc<Queue>,
    latch: Arc<Latch>,
}

impl Drop for Alarm {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.latch.stop("the database panicked");
            self.queue.abandon();
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
