//! Counts the requests in flight of each client, network or check.

use dashmap::DashMap;
use std::hash::Hash;
use std::sync::Arc;

/// Counters of requests in flight by key. A key without requests has no entry, so the memory is bounded by the number of
/// requests.
#[derive(Debug)]
pub(crate) struct InFlight<K: Eq + Hash> {
    counts: DashMap<K, usize>,
}

/// Permit of one request in flight, until it is dropped.
#[derive(Debug)]
pub(crate) struct InFlightPermit<K: Eq + Hash> {
    in_flight: Arc<InFlight<K>>,
    key: K,
}

impl<K: Eq + Hash> Default for InFlight<K> {
    fn default() -> Self {
        Self { counts: DashMap::default() }
    }
}

impl<K: Eq + Hash + Clone> InFlight<K> {
    /// Takes a permit of `key`. Returns `None` if the key has `limit` permits, of which there is at least one.
    pub(crate) fn acquire(self: &Arc<Self>, key: K, limit: usize) -> Option<InFlightPermit<K>> {
        let mut count = self.counts.entry(key.clone()).or_insert(0);
        if *count >= limit.max(1) {
            return None;
        }
        *count += 1;
        drop(count);
        Some(InFlightPermit { in_flight: Arc::clone(self), key })
    }
}

impl<K: Eq + Hash> Drop for InFlightPermit<K> {
    fn drop(&mut self) {
        self.in_flight.counts.remove_if_mut(&self.key, |_, count| {
            *count = count.saturating_sub(1);
            *count == 0
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_key_has_its_own_limit_and_leaves_nothing_behind() {
        let in_flight = Arc::new(InFlight::default());
        let held: Vec<_> = (0..2).map(|_| in_flight.acquire("greedy", 2).unwrap()).collect();
        assert!(in_flight.acquire("greedy", 2).is_none());
        let other = in_flight.acquire("polite", 2);
        assert!(other.is_some());
        drop((held, other));
        assert!(in_flight.acquire("greedy", 2).is_some());
        assert!(in_flight.counts.is_empty());
    }

    #[test]
    fn a_limit_of_zero_admits_one() {
        let in_flight = Arc::new(InFlight::default());
        let first = in_flight.acquire(1, 0);
        assert!(first.is_some() && in_flight.acquire(1, 0).is_none());
    }
}
