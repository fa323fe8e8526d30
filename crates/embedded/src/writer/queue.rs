//! Queue of commands.

use super::command::Command;
use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;
use voight_domain::ports::StoreError;

/// Bounded queue with one consumer.
pub(super) struct Queue {
    waiting: Mutex<QueueState>,
    filled: Condvar,
    capacity: usize,
}

struct QueueState {
    commands: VecDeque<Box<dyn Command>>,
    closed: bool,
}

impl Queue {
    pub(super) fn new(capacity: usize) -> Self {
        let waiting = QueueState {
            commands: VecDeque::new(),
            closed: false,
        };
        Self {
            waiting: Mutex::new(waiting),
            filled: Condvar::new(),
            capacity,
        }
    }

    /// Adds a command, or rejects it at once if the queue is full. Waiting for room would only move the queue into the
    /// callers.
    pub(super) fn push(&self, command: Box<dyn Command>) -> Result<(), StoreError> {
        let mut waiting = self.lock();
        if waiting.closed {
            return Err(StoreError::NotApplied("the store is closing".into()));
        }
        if waiting.commands.len() >= self.capacity {
            return Err(StoreError::NotApplied(
                "too many writes are waiting; try again shortly".into(),
            ));
        }
        waiting.commands.push_back(command);
        // The consumer only waits while the queue is empty, and each notification is a system call.
        let is_first = waiting.commands.len() == 1;
        drop(waiting);
        if is_first {
            self.filled.notify_one();
        }
        Ok(())
    }

    /// Returns the number of queued commands.
    pub(super) fn len(&self) -> usize {
        self.lock().commands.len()
    }

    /// Waits for commands and takes at most `limit`. Returns an empty vector if none arrive within `timeout`, and
    /// `None` once the queue is closed and empty.
    pub(super) fn pop_batch(
        &self,
        limit: usize,
        timeout: Option<Duration>,
    ) -> Option<Vec<Box<dyn Command>>> {
        drop(self.wait(timeout));
        // A writer that shares a core with the callers has preempted the first of them. It yields once, so that
        // concurrent callers join the group: the cost of one group equals that of many commands.
        thread::yield_now();
        let mut waiting = self.lock();
        let count = waiting.commands.len().min(limit);
        if count == 0 && waiting.closed {
            None
        } else {
            Some(waiting.commands.drain(..count).collect())
        }
    }

    fn wait(&self, timeout: Option<Duration>) -> MutexGuard<'_, QueueState> {
        let is_idle = |state: &mut QueueState| state.commands.is_empty() && !state.closed;
        match timeout {
            None => self
                .filled
                .wait_while(self.lock(), is_idle)
                .unwrap_or_else(PoisonError::into_inner),
            Some(timeout) => {
                let wait_result = self
                    .filled
                    .wait_timeout_while(self.lock(), timeout, is_idle);
                wait_result.unwrap_or_else(PoisonError::into_inner).0
            }
        }
    }

    /// Stops accepting commands; queued commands are still processed.
    pub(super) fn close(&self) {
        self.lock().closed = true;
        self.filled.notify_one();
    }

    /// Stops accepting commands and drops the queued ones, whose futures resolve to an error.
    pub(super) fn close_and_drop(&self) {
        let mut state = self.lock();
        state.closed = true;
        let commands = std::mem::take(&mut state.commands);
        // Dropping the commands wakes the callers, which may need the lock.
        drop(state);
        drop(commands);
    }

    fn lock(&self) -> MutexGuard<'_, QueueState> {
        // No code under the lock panics midway, so the queue is consistent even if the lock is poisoned.
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
