//! Batches calls per key: while one batch is in flight, new calls are collected for the next.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::Hash;
use std::mem;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;

/// Queued calls by key. A key has an entry as long as a task runs its batches.
#[derive(Debug)]
pub(crate) struct BatchQueue<K, W>(Mutex<HashMap<K, Vec<W>>>);

impl<K, W> Default for BatchQueue<K, W> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<K: Copy + Eq + Hash, W> BatchQueue<K, W> {
    /// Queues a call; returns `true` if no task runs the batches of `key` yet.
    ///
    /// A caller that gets `true` must call [`next_batch`](Self::next_batch) until it returns `None`.
    pub(crate) fn push(&self, key: K, work: W) -> bool {
        match self.lock().entry(key) {
            Entry::Occupied(mut queue) => {
                queue.get_mut().push(work);
                false
            }
            Entry::Vacant(entry) => {
                entry.insert(vec![work]);
                true
            }
        }
    }

    /// Takes at most `most` queued calls of `key`. If there are none, removes the entry and returns `None`.
    ///
    /// Yields the thread first, so that callers that were just answered can queue their next call in this batch.
    pub(crate) fn next_batch(&self, key: K, limit: usize) -> Option<Vec<W>> {
        thread::yield_now();
        let mut queues = self.lock();
        let queue = queues.get_mut(&key)?;
        if queue.is_empty() {
            queues.remove(&key);
            return None;
        }
        let remaining_work = queue.split_off(queue.len().min(limit));
        Some(mem::replace(queue, remaining_work))
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<K, Vec<W>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_caller_executes_later_requests() {
        let calls = BatchQueue::default();
        assert!(calls.push('a', 1));
        assert!(!calls.push('a', 2));
        assert!(calls.push('b', 3), "others are served by themselves");
        assert_eq!(calls.next_batch('a', 9), Some(vec![1, 2]));
        assert!(!calls.push('a', 4));
        assert_eq!(calls.next_batch('a', 9), Some(vec![4]));
        assert_eq!(calls.next_batch('a', 9), None);
        assert!(
            calls.push('a', 5),
            "a served key stays without a server after its last group"
        );
    }

    #[test]
    fn bounded_groups_execute_every_request() {
        let calls = BatchQueue::default();
        for number in 1..=5 {
            calls.push((), number);
        }
        let groups: Vec<_> = std::iter::from_fn(|| calls.next_batch((), 2)).collect();
        assert_eq!(groups, [vec![1, 2], vec![3, 4], vec![5]]);
    }
}
