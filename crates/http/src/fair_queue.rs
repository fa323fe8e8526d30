//! Queue that serves its keys in turn.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, VecDeque};
use std::hash::Hash;

/// Queue with round robin over the keys, and first in, first out within a key. A key with many items delays another key by one
/// item at a time.
#[derive(Debug)]
pub struct FairQueue<K, T> {
    items: HashMap<K, VecDeque<T>>,
    /// The keys with items, each once, in the order of their next turns.
    turns: VecDeque<K>,
}

impl<K, T> Default for FairQueue<K, T> {
    fn default() -> Self {
        Self {
            items: HashMap::new(),
            turns: VecDeque::new(),
        }
    }
}

impl<K: Eq + Hash + Clone, T> FairQueue<K, T> {
    /// Adds an item at the end of its key's items.
    pub fn push(&mut self, key: K, item: T) {
        match self.items.entry(key.clone()) {
            Entry::Occupied(mut items) => items.get_mut().push_back(item),
            Entry::Vacant(items) => {
                items.insert(VecDeque::from([item]));
                self.turns.push_back(key);
            }
        }
    }

    /// Returns the items of a key.
    pub fn items_of(&self, key: &K) -> impl Iterator<Item = &T> {
        self.items.get(key).into_iter().flatten()
    }

    /// Removes the items of a key that `is_needed` rejects, and returns the number of the others.
    pub fn retain(&mut self, key: &K, is_needed: impl FnMut(&T) -> bool) -> usize {
        let Some(items) = self.items.get_mut(key) else {
            return 0;
        };
        items.retain(is_needed);
        let count = items.len();
        if count == 0 {
            self.items.remove(key);
            self.turns.retain(|turn| turn != key);
        }
        count
    }

    /// Removes the next item.
    pub fn pop(&mut self) -> Option<(K, T)> {
        self.pop_with(|_| Some(()))
            .map(|(key, item, ())| (key, item))
    }

    /// Removes the next item of a key to which `admit` grants something, and returns both.
    pub fn pop_with<G>(&mut self, mut admit: impl FnMut(&K) -> Option<G>) -> Option<(K, T, G)> {
        let (position, granted) = self
            .turns
            .iter()
            .enumerate()
            .find_map(|(position, key)| Some((position, admit(key)?)))?;
        let key = self.turns.remove(position)?;
        let items = self.items.get_mut(&key)?;
        let item = items.pop_front()?;
        if items.is_empty() {
            self.items.remove(&key);
        } else {
            self.turns.push_back(key.clone());
        }
        Some((key, item, granted))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_served_in_turn() {
        let mut queue = FairQueue::default();
        for item in 1..=3 {
            queue.push("greedy", item);
        }
        queue.push("polite", 4);
        assert_eq!(queue.items_of(&"greedy").collect::<Vec<_>>(), [&1, &2, &3]);
        let items: Vec<_> = std::iter::from_fn(|| queue.pop()).collect();
        assert_eq!(
            items,
            [("greedy", 1), ("polite", 4), ("greedy", 2), ("greedy", 3)]
        );
        assert!(queue.items.is_empty() && queue.turns.is_empty());
    }

    #[test]
    fn items_that_are_not_needed_leave_nothing_behind() {
        let mut queue = FairQueue::default();
        for item in 1..=3 {
            queue.push("greedy", item);
        }
        assert_eq!(queue.retain(&"greedy", |item| *item != 2), 2);
        assert_eq!(
            (
                queue.retain(&"greedy", |_| false),
                queue.retain(&"polite", |_| true)
            ),
            (0, 0)
        );
        assert!(queue.items.is_empty() && queue.turns.is_empty());
    }

    #[test]
    fn key_that_is_not_admitted_keeps_its_turn() {
        let mut queue = FairQueue::default();
        for (key, item) in [("greedy", 1), ("polite", 2), ("late", 3)] {
            queue.push(key, item);
        }
        let item = queue.pop_with(|key| (*key != "greedy").then_some("slot"));
        assert_eq!(item, Some(("polite", 2, "slot")));
        assert_eq!(queue.pop_with(|_| None::<()>), None);
        assert_eq!(queue.pop(), Some(("greedy", 1)));
    }
}
