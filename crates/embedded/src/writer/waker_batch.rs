//! Wakes the tasks of one commit group with few system calls.
//!
//! Waking a task from another thread costs one or two system calls, and if both threads share a core, also a context
//! switch. The writer therefore wakes one task per thread, which then wakes the others of its thread cheaply. If that
//! task is not polled, the delay is bounded: the writer wakes the remaining tasks after its next group or after one
//! millisecond.

use std::mem;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::task::{Context, Waker};
use std::thread::{self, ThreadId};

/// Waiting task and the thread that polled it.
pub(super) struct WaitingTask {
    thread: ThreadId,
    waker: Waker,
}

impl WaitingTask {
    pub(super) fn from_context(context: &Context<'_>) -> Self {
        Self {
            thread: thread::current().id(),
            waker: context.waker().clone(),
        }
    }

    pub(super) fn wake(self) {
        self.waker.wake();
    }
}

/// Tasks of one group that are still to be woken, by thread. Their replies have been sent.
#[derive(Default)]
pub(super) struct WakerBatch(Mutex<Vec<(ThreadId, Vec<Waker>)>>);

impl WakerBatch {
    /// Adds a task whose reply has been sent.
    pub(super) fn add(&self, WaitingTask { thread, waker }: WaitingTask) {
        let mut threads = self.lock();
        match threads
            .iter_mut()
            .find(|(waiting_thread, _)| *waiting_thread == thread)
        {
            Some((_, wakers)) => wakers.push(waker),
            None => threads.push((thread, vec![waker])),
        }
    }

    /// Wakes one task of each thread.
    pub(super) fn wake_one_per_thread(&self) {
        let first: Vec<_> = self
            .lock()
            .iter_mut()
            .filter_map(|(_, wakers)| wakers.pop())
            .collect();
        first.into_iter().for_each(Waker::wake);
    }

    /// Wakes the tasks of the calling thread.
    pub(super) fn wake_current_thread(&self) {
        let current_thread = thread::current().id();
        let mut threads = self.lock();
        let own_wakers = threads
            .iter_mut()
            .find(|(thread, wakers)| *thread == current_thread && !wakers.is_empty());
        let wakers = own_wakers
            .map(|(_, wakers)| mem::take(wakers))
            .unwrap_or_default();
        drop(threads);
        wakers.into_iter().for_each(Waker::wake);
    }

    /// Wakes all remaining tasks.
    pub(super) fn wake_remaining(&self) {
        let threads = mem::take(&mut *self.lock());
        threads
            .into_iter()
            .flat_map(|(_, wakers)| wakers)
            .for_each(Waker::wake);
    }

    /// Returns `true` if tasks remain to be woken.
    pub(super) fn has_remaining(&self) -> bool {
        self.lock().iter().any(|(_, wakers)| !wakers.is_empty())
    }

    fn lock(&self) -> MutexGuard<'_, Vec<(ThreadId, Vec<Waker>)>> {
        // No task is woken under the lock, so no code under it panics midway.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
