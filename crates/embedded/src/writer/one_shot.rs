//! One-shot channel: the writer sends one reply, a future receives it.

use super::waker_batch::{WaitingTask, WakerBatch};
use std::fmt;
use std::mem;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use voight_domain::ports::StoreError;

/// One-shot channel of one reply.
pub(crate) struct OneShot<T>(Mutex<OneShotState<T>>);

enum OneShotState<T> {
    /// No reply yet; the task that polled last.
    Waiting(Option<WaitingTask>),
    /// The reply, and the wakers of its commit group.
    Ready(Result<T, StoreError>, Arc<WakerBatch>),
    /// The reply was received, the receiver was dropped, or the sender was dropped without a reply.
    Closed,
}

impl<T> OneShot<T> {
    pub(super) fn new() -> Self {
        Self(Mutex::new(OneShotState::Waiting(None)))
    }

    /// Polls for the reply. Returns it once; afterwards, or if the sender was dropped, `None`.
    pub(super) fn poll(&self, context: &Context<'_>) -> Poll<Option<Result<T, StoreError>>> {
        let mut state = self.lock();
        match mem::replace(&mut *state, OneShotState::Closed) {
            OneShotState::Waiting(_) => {
                *state = OneShotState::Waiting(Some(WaitingTask::from_context(context)));
                Poll::Pending
            }
            OneShotState::Ready(answer, group) => {
                drop(state);
                group.wake_current_thread();
                Poll::Ready(Some(answer))
            }
            OneShotState::Closed => Poll::Ready(None),
        }
    }

    /// Closes the receiver. Wakers that the receiver would have passed on are woken here.
    pub(super) fn close_receiver(&self) {
        if let OneShotState::Ready(_, group) = self.close() {
            group.wake_current_thread();
        }
    }

    /// Sends the reply. The waiting task is woken together with the others of `group`.
    pub(super) fn send(&self, answer: Result<T, StoreError>, group: &Arc<WakerBatch>) {
        let mut state = self.lock();
        let OneShotState::Waiting(waiter) = &mut *state else {
            // The caller dropped the future; the write remains committed.
            return;
        };
        let waiter = waiter.take();
        *state = OneShotState::Ready(answer, Arc::clone(group));
        drop(state);
        if let Some(waiter) = waiter {
            group.add(waiter);
        }
    }

    /// Closes the sender, unless a reply was sent already.
    pub(super) fn close_sender(&self) {
        let mut state = self.lock();
        if let OneShotState::Waiting(waiter) = &mut *state {
            let waiter = waiter.take();
            *state = OneShotState::Closed;
            drop(state);
            if let Some(waiter) = waiter {
                waiter.wake();
            }
        }
    }

    fn close(&self) -> OneShotState<T> {
        mem::replace(&mut *self.lock(), OneShotState::Closed)
    }

    fn lock(&self) -> MutexGuard<'_, OneShotState<T>> {
        // No code under the lock panics midway.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T> fmt::Debug for OneShot<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OneShot").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::task::{Wake, Waker};
    use std::thread;

    /// Waker that counts its wakes.
    #[derive(Default)]
    struct WakeCounter(AtomicUsize);

    impl Wake for WakeCounter {
        fn wake(self: Arc<Self>) {
            self.0.fetch_add(1, Ordering::SeqCst);
        }
    }

    struct WaitingReader {
        slot: Arc<OneShot<u32>>,
        woken: Arc<WakeCounter>,
    }

    impl WaitingReader {
        /// Creates a task that waits on the calling thread.
        fn waiting() -> Self {
            let task = Self {
                slot: Arc::new(OneShot::new()),
                woken: Arc::default(),
            };
            assert!(task.poll().is_pending());
            task
        }

        fn poll(&self) -> Poll<Option<Result<u32, StoreError>>> {
            self.slot
                .poll(&Context::from_waker(&Waker::from(Arc::clone(&self.woken))))
        }

        fn is_woken(&self) -> bool {
            self.woken.0.load(Ordering::SeqCst) > 0
        }
    }

    /// Creates four waiting tasks, two of them on another thread, and sends replies to all in one group.
    fn answered() -> (Vec<WaitingReader>, Arc<WakerBatch>) {
        let own_readers = [WaitingReader::waiting(), WaitingReader::waiting()];
        let other_readers = thread::spawn(|| [WaitingReader::waiting(), WaitingReader::waiting()])
            .join()
            .unwrap();
        let tasks = own_readers
            .into_iter()
            .chain(other_readers)
            .collect::<Vec<_>>();
        let group = Arc::default();
        for task in &tasks {
            task.slot.send(Ok(7), &group);
        }
        group.wake_one_per_thread();
        (tasks, group)
    }

    fn woken(tasks: &[WaitingReader]) -> Vec<bool> {
        tasks.iter().map(WaitingReader::is_woken).collect()
    }

    #[test]
    fn one_task_per_thread_wakes_the_others() {
        let (tasks, _) = answered();
        assert_eq!(woken(&tasks), [false, true, false, true]);
        assert_eq!(tasks[1].poll(), Poll::Ready(Some(Ok(7))));
        assert_eq!(woken(&tasks), [true, true, false, true]);
    }

    #[test]
    fn dropped_receiver_wakes_other_tasks() {
        let (tasks, _) = answered();
        tasks[1].slot.close_receiver();
        assert!(tasks[0].is_woken());
    }

    #[test]
    fn remaining_tasks_are_woken_at_the_end() {
        let (tasks, group) = answered();
        assert!(group.has_remaining());
        group.wake_remaining();
        assert_eq!(woken(&tasks), [true; 4]);
        assert!(!group.has_remaining());
    }

    #[test]
    fn early_reply_is_delivered_once() {
        let slot = OneShot::new();
        let group = Arc::default();
        slot.send(Ok(1), &group);
        slot.close_sender();
        let context = Context::from_waker(Waker::noop());
        assert_eq!(slot.poll(&context), Poll::Ready(Some(Ok(1))));
        assert_eq!(slot.poll(&context), Poll::Ready(None));
        assert!(!group.has_remaining());
    }

    #[test]
    fn dropped_sender_is_reported() {
        let task = WaitingReader::waiting();
        task.slot.close_sender();
        assert!(task.is_woken());
        assert_eq!(task.poll(), Poll::Ready(None));
    }
}
