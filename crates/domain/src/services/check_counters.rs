//! Counters of checks in memory, until a background job stores them.

use crate::check::{Challenge, CheckCountKey, CheckCounts, CountedSite};
use crate::metering::Day;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Maximum number of keys with a site of their own between two drains. Beyond it, new sites are counted as others, because
/// a caller can open checks with any number of origins in a context without an allowlist.
const MAX_KEYS: usize = 100_000;

/// Counts checks since the last call of [`drain`](Self::drain). Clones share one set of counters.
#[derive(Debug, Clone, Default)]
pub(super) struct CheckCounters(Arc<Mutex<BTreeMap<CheckCountKey, CheckCounts>>>);

impl CheckCounters {
    /// Counts a check for its context, its site, and the day on which it was opened.
    pub(super) fn record(&self, challenge: &Challenge, counts: CheckCounts) {
        let key = CheckCountKey {
            context: challenge.context.clone(),
            day: Day(challenge.opened_at.day()),
            site: CountedSite::Origin(challenge.origin.clone()),
        };
        add(&mut self.counters(), key, counts);
    }

    /// Returns the counters and resets them.
    pub(super) fn drain(&self) -> Vec<(CheckCountKey, CheckCounts)> {
        std::mem::take(&mut *self.counters()).into_iter().collect()
    }

    /// Restores counters that could not be stored.
    pub(super) fn put_back(&self, counts: &[(CheckCountKey, CheckCounts)]) {
        let mut counters = self.counters();
        for (key, counts) in counts {
            add(&mut counters, key.clone(), *counts);
        }
    }

    fn counters(&self) -> MutexGuard<'_, BTreeMap<CheckCountKey, CheckCounts>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn add(
    counters: &mut BTreeMap<CheckCountKey, CheckCounts>,
    mut key: CheckCountKey,
    counts: CheckCounts,
) {
    if counters.len() >= MAX_KEYS && !counters.contains_key(&key) {
        key.site = CountedSite::Others;
    }
    *counters.entry(key).or_default() += counts;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::tests::challenge;
    use crate::vocabulary::Origin;

    fn from_origin(number: usize) -> Challenge {
        let origin: Origin = format!("https://quest{number}.example").parse().unwrap();
        Challenge {
            origin,
            ..challenge()
        }
    }

    #[test]
    fn checks_are_counted_until_drained() {
        let counters = CheckCounters::default();
        counters.record(&challenge(), CheckCounts::OPENED);
        counters.clone().record(&challenge(), CheckCounts::STARTED);
        let counts = counters.drain();
        let key = CheckCountKey {
            context: challenge().context,
            day: Day(challenge().opened_at.day()),
            site: CountedSite::Origin(challenge().origin),
        };
        let expected_counts = CheckCounts::OPENED + CheckCounts::STARTED;
        assert_eq!(counts, [(key.clone(), expected_counts)]);
        assert_eq!(counters.drain(), []);
        counters.record(&challenge(), CheckCounts::OPENED);
        counters.put_back(&counts);
        let counts = expected_counts + CheckCounts::OPENED;
        assert_eq!(counters.drain(), [(key, counts)]);
    }

    #[test]
    fn check_counters_are_bounded() {
        let counters = CheckCounters::default();
        for number in 0..MAX_KEYS + 5 {
            counters.record(&from_origin(number), CheckCounts::OPENED);
        }
        counters.record(&from_origin(0), CheckCounts::OPENED);
        let counts: BTreeMap<_, _> = counters.drain().into_iter().collect();
        assert_eq!(counts.len(), MAX_KEYS + 1);
        let opened = |site| {
            let key = CheckCountKey {
                context: challenge().context,
                day: Day(challenge().opened_at.day()),
                site,
            };
            counts[&key].opened
        };
        assert_eq!(opened(CountedSite::Others), 5);
        assert_eq!(opened(CountedSite::Origin(from_origin(0).origin)), 2);
    }
}
