//! The commands that wait.

use super::submitted::Command;
use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;
use voight_domain::ports::StoreError;

/// A bounded queue with one consumer.
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
        let waiting = QueueState { commands: VecDeque::new(), closed: false };
        Self { waiting: Mutex::new(waiting), filled: Condvar::new(), capacity }
    }

    /// Adds a command, or refuses it at once: waiting for room would only move the queue into the callers.
    pub(super) fn push(&self, command: Box<dyn Command>) -> Result<(), StoreError> {
        let mut waiting = self.lock();
        if waiting.closed {
            return Err(StoreError::NotApplied("the store is closing".into()));
        }
        if waiting.commands.len() >= self.capacity {
            return Err(StoreError::NotApplied("too many writes are waiting; try again shortly".into()));
        }
        waiting.commands.push_back(command);
        // Only an empty queue is waited for, and each notice is a system call.
        let is_first = waiting.commands.len() == 1;
        drop(waiting);
        if is_first {
            self.filled.notify_one();
        }
        Ok(())
    }

    /// Waits for commands and takes at most `limit`; `None` once the queue is closed and empty. With `patience` it takes none
    /// if none come in that time.
    pub(super) fn pop_batch(&self, limit: usize, timeout: Option<Duration>) -> Option<Vec<Box<dyn Command>>> {
        drop(self.wait(timeout));
        // A writer that shares a processor with those who queue has taken over from the first of them. It gives way once, so that
        // the others of this moment get into the group, too: a group costs as much as many commands.
        thread::yield_now();
        let mut waiting = self.lock();
        let count = waiting.commands.len().min(limit);
        if count == 0 && waiting.closed { None } else { Some(waiting.commands.drain(..count).collect()) }
    }

    fn wait(&self, timeout: Option<Duration>) -> MutexGuard<'_, QueueState> {
        let is_idle = |waiting: &mut QueueState| waiting.commands.is_empty() && !waiting.closed;
        match timeout {
            None => self.filled.wait_while(self.lock(), is_idle).unwrap_or_else(PoisonError::into_inner),
            Some(patience) => {
                let waited = self.filled.wait_timeout_while(self.lock(), patience, is_idle);
                waited.unwrap_or_else(PoisonError::into_inner).0
            }
        }
    }

    /// Takes no more commands; what waits is still served.
    pub(super) fn close(&self) {
        self.lock().closed = true;
        self.filled.notify_one();
    }

    /// Takes no more commands and drops what waits, whose futures then end without an answer.
    pub(super) fn close_and_drop(&self) {
        let mut waiting = self.lock();
        waiting.closed = true;
        let dropped = std::mem::take(&mut waiting.commands);
        // Dropping wakes the callers; they must find the lock free.
        drop(waiting);
        drop(dropped);
    }

    fn lock(&self) -> MutexGuard<'_, QueueState> {
        // Nothing under the lock can panic half-way, so a poisoned lock still guards a whole queue.
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
