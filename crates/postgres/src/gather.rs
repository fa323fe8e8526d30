//! Calls that go together: while those before them are on their way to the database and back, the next ones gather.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::Hash;
use std::mem;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;

/// What waits, by what it has in common. There is an entry for everything that somebody serves.
#[derive(Debug)]
pub(crate) struct BatchQueue<K, W>(Mutex<HashMap<K, Vec<W>>>);

impl<K, W> Default for BatchQueue<K, W> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<K: Copy + Eq + Hash, W> BatchQueue<K, W> {
    /// Adds one to those of `key`; whether nobody serves these yet. Whoever is told so has to take [groups](Self::next) until there
    /// are no more.
    pub(crate) fn push(&self, key: K, one: W) -> bool {
        match self.lock().entry(key) {
            Entry::Occupied(mut queue) => {
                queue.get_mut().push(one);
                false
            }
            Entry::Vacant(place) => {
                place.insert(vec![one]);
                true
            }
        }
    }

    /// The first `most` of those that wait; if nobody does, they are no longer served. Gives way once before: whoever was just
    /// answered, or is about to ask, then comes with this group and not alone with the next.
    pub(crate) fn next_batch(&self, key: K, most: usize) -> Option<Vec<W>> {
        thread::yield_now();
        let mut waiting = self.lock();
        let queue = waiting.get_mut(&key)?;
        if queue.is_empty() {
            waiting.remove(&key);
            return None;
        }
        let rest = queue.split_off(queue.len().min(most));
        Some(mem::replace(queue, rest))
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<K, Vec<W>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_serves_those_who_come_while_it_does() {
        let calls = BatchQueue::default();
        assert!(calls.push('a', 1));
        assert!(!calls.push('a', 2));
        assert!(calls.push('b', 3), "others are served by themselves");
        assert_eq!(calls.next_batch('a', 9), Some(vec![1, 2]));
        assert!(!calls.push('a', 4));
        assert_eq!(calls.next_batch('a', 9), Some(vec![4]));
        assert_eq!(calls.next_batch('a', 9), None);
        assert!(calls.push('a', 5), "and nobody does after that");
    }

    #[test]
    fn a_group_is_bounded_and_nobody_is_left_behind() {
        let calls = BatchQueue::default();
        for one in 1..=5 {
            calls.push((), one);
        }
        let groups: Vec<_> = std::iter::from_fn(|| calls.next_batch((), 2)).collect();
        assert_eq!(groups, [vec![1, 2], vec![3, 4], vec![5]]);
    }
}
