//! Waking those who are answered together.
//!
//! Waking a task from another thread costs a system call or two, and where both threads share a processor also a change of
//! threads for each. So the writer wakes one task of each thread, and that one wakes the others of its thread, which is
//! cheap there. A task that does not get to it keeps nobody waiting for long: what is left is woken by the writer after its
//! next group, or after a millisecond.

use std::mem;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::task::{Context, Waker};
use std::thread::{self, ThreadId};

/// A task that waits, and the thread that it was on when it asked.
pub(super) struct WaitingTask {
    thread: ThreadId,
    waker: Waker,
}

impl WaitingTask {
    pub(super) fn from_context(context: &Context<'_>) -> Self {
        Self { thread: thread::current().id(), waker: context.waker().clone() }
    }

    pub(super) fn wake(self) {
        self.waker.wake();
    }
}

/// The tasks of one group that are still to be woken, thread by thread. Their answers are in place.
#[derive(Default)]
pub(super) struct WakerBatch(Mutex<Vec<(ThreadId, Vec<Waker>)>>);

impl WakerBatch {
    /// Adds a task whose answer is in place.
    pub(super) fn add(&self, WaitingTask { thread, waker }: WaitingTask) {
        let mut threads = self.lock();
        match threads.iter_mut().find(|(other, _)| *other == thread) {
            Some((_, wakers)) => wakers.push(waker),
            None => threads.push((thread, vec![waker])),
        }
    }

    /// Wakes one task of each thread.
    pub(super) fn wake_one_per_thread(&self) {
        let first: Vec<_> = self.lock().iter_mut().filter_map(|(_, wakers)| wakers.pop()).collect();
        first.into_iter().for_each(Waker::wake);
    }

    /// Wakes the tasks of the calling thread.
    pub(super) fn wake_current_thread(&self) {
        let here = thread::current().id();
        let mut threads = self.lock();
        let own = threads.iter_mut().find(|(thread, wakers)| *thread == here && !wakers.is_empty());
        let wakers = own.map(|(_, wakers)| mem::take(wakers)).unwrap_or_default();
        drop(threads);
        wakers.into_iter().for_each(Waker::wake);
    }

    /// Wakes every task that is left.
    pub(super) fn wake_remaining(&self) {
        let threads = mem::take(&mut *self.lock());
        threads.into_iter().flat_map(|(_, wakers)| wakers).for_each(Waker::wake);
    }

    /// Whether somebody is left.
    pub(super) fn has_remaining(&self) -> bool {
        self.lock().iter().any(|(_, wakers)| !wakers.is_empty())
    }

    fn lock(&self) -> MutexGuard<'_, Vec<(ThreadId, Vec<Waker>)>> {
        // Nobody is woken under the lock, so nothing under it can panic half-way.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
