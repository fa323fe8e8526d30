//! Shares: what one key, such as a client or a network, may take of a limited resource, and what all keys may take together.

use dashmap::DashMap;
use std::hash::Hash;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Limits of a resource, in units of weight: requests, connections, bytes or slots.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ShareLimits {
    /// Maximum weight of a key.
    pub(crate) per_key: u64,
    /// Maximum weight of all keys.
    pub(crate) in_all: u64,
}

/// Limit that a weight exceeds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Excess {
    /// The limit of the key.
    Key,
    /// The limit of all keys.
    All,
}

/// Weights that are taken of a resource, by key. A key without a share has no entry, so the memory is bounded by the number of
/// shares.
#[derive(Debug)]
pub(crate) struct Shares<K: Eq + Hash> {
    weights: DashMap<K, u64>,
    total: AtomicU64,
}

/// Weight that a key has taken, until it is dropped.
#[derive(Debug)]
pub(crate) struct Share<K: Eq + Hash> {
    shares: Arc<Shares<K>>,
    key: K,
    weight: u64,
}

impl<K: Eq + Hash> Default for Shares<K> {
    fn default() -> Self {
        Self {
            weights: DashMap::default(),
            total: AtomicU64::new(0),
        }
    }
}

impl<K: Eq + Hash + Clone> Shares<K> {
    /// Takes a share of weight 1 of `key`. Returns `None` if the key has `limit` of them, of which there is at least one.
    pub(crate) fn acquire(self: &Arc<Self>, key: K, limit: usize) -> Option<Share<K>> {
        self.take(
            key,
            1,
            ShareLimits {
                per_key: limit.max(1) as u64,
                in_all: u64::MAX,
            },
        )
        .ok()
    }

    /// Takes a share of this weight. A key within its own limit can exceed that of all keys.
    pub(crate) fn take(
        self: &Arc<Self>,
        key: K,
        weight: u64,
        limits: ShareLimits,
    ) -> Result<Share<K>, Excess> {
        let mut share = Share {
            shares: Arc::clone(self),
            key,
            weight: 0,
        };
        share.grow(weight, limits)?;
        Ok(share)
    }

    /// Returns the weight of all shares.
    pub(crate) fn total(&self) -> u64 {
        self.total.load(Ordering::Relaxed)
    }
}

impl<K: Eq + Hash + Clone> Share<K> {
    /// Adds `weight` to the share, which does not change if a limit would be exceeded.
    pub(crate) fn grow(&mut self, weight: u64, limits: ShareLimits) -> Result<(), Excess> {
        let mut of_key = self.shares.weights.entry(self.key.clone()).or_insert(0);
        let excess = if of_key.saturating_add(weight) > limits.per_key {
            Some(Excess::Key)
        } else if self
            .shares
            .total
            .fetch_add(weight, Ordering::Relaxed)
            .saturating_add(weight)
            > limits.in_all
        {
            self.shares.total.fetch_sub(weight, Ordering::Relaxed);
            Some(Excess::All)
        } else {
            None
        };
        match excess {
            None => {
                *of_key += weight;
                self.weight += weight;
                Ok(())
            }
            Some(excess) => {
                drop(of_key);
                self.shares
                    .weights
                    .remove_if(&self.key, |_, of_key| *of_key == 0);
                Err(excess)
            }
        }
    }
}

impl<K: Eq + Hash> Share<K> {
    /// Returns the weight.
    pub(crate) const fn weight(&self) -> u64 {
        self.weight
    }
}

impl<K: Eq + Hash> Drop for Share<K> {
    fn drop(&mut self) {
        self.shares.total.fetch_sub(self.weight, Ordering::Relaxed);
        self.shares.weights.remove_if_mut(&self.key, |_, of_key| {
            *of_key = of_key.saturating_sub(self.weight);
            *of_key == 0
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: ShareLimits = ShareLimits {
        per_key: 6,
        in_all: 10,
    };

    #[test]
    fn each_key_has_its_own_limit_and_leaves_nothing_behind() {
        let shares = Arc::new(Shares::default());
        let greedy: Vec<_> = (0..2)
            .map(|_| shares.acquire("greedy", 2).unwrap())
            .collect();
        assert!(shares.acquire("greedy", 2).is_none());
        let polite = shares.acquire("polite", 2);
        assert!(polite.is_some());
        drop((greedy, polite));
        assert!(shares.acquire("greedy", 2).is_some());
        assert!(shares.weights.is_empty());
    }

    #[test]
    fn limit_of_zero_admits_one() {
        let shares = Arc::new(Shares::default());
        let first = shares.acquire(1, 0);
        assert!(first.is_some() && shares.acquire(1, 0).is_none());
    }

    #[test]
    fn weights_are_limited_per_key_and_in_all() {
        let shares = Arc::new(Shares::default());
        let mut greedy = shares.take("greedy", 4, LIMITS).unwrap();
        assert_eq!(greedy.grow(3, LIMITS), Err(Excess::Key));
        assert_eq!(
            (greedy.grow(2, LIMITS), greedy.weight(), shares.total()),
            (Ok(()), 6, 6)
        );
        let polite = shares.take("polite", 4, LIMITS).unwrap();
        assert_eq!(shares.take("late", 1, LIMITS).unwrap_err(), Excess::All);
        assert_eq!(
            shares.take("greedy", 1, LIMITS).unwrap_err(),
            Excess::Key,
            "its own limit is named first"
        );
        drop(greedy);
        assert_eq!(shares.total(), 4);
        assert!(shares.take("late", 6, LIMITS).is_ok());
        drop(polite);
        assert!(shares.total() == 0 && shares.weights.is_empty());
    }
}
