//! Histogram of measured values. A store records them; the page of metrics prints them.

use std::sync::atomic::{AtomicU64, Ordering};

/// Histogram with fixed buckets. Recording a value takes no lock.
#[derive(Debug)]
pub struct Histogram {
    /// Upper bounds of the buckets, inclusive and ascending.
    bounds: &'static [u64],
    /// Number of values in each bucket. The last bucket holds the values above all bounds.
    counts: Box<[AtomicU64]>,
    sum: AtomicU64,
}

/// State of a histogram at one moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HistogramSnapshot {
    /// Upper bounds of the buckets, inclusive and ascending.
    pub bounds: &'static [u64],
    /// Number of values in each bucket, and at the end the number of values above all bounds.
    pub counts: Vec<u64>,
    /// Sum of all values.
    pub sum: u64,
}

impl Histogram {
    /// Creates an empty histogram with these upper bounds, which ascend.
    pub fn new(bounds: &'static [u64]) -> Self {
        Self {
            bounds,
            counts: (0..=bounds.len()).map(|_| AtomicU64::new(0)).collect(),
            sum: AtomicU64::new(0),
        }
    }

    /// Records a value.
    pub fn record(&self, value: u64) {
        let bucket = self.bounds.partition_point(|bound| *bound < value);
        if let Some(count) = self.counts.get(bucket) {
            count.fetch_add(1, Ordering::Relaxed);
        }
        self.sum.fetch_add(value, Ordering::Relaxed);
    }

    /// Returns the current state. Values that are recorded during the call may be missing from the sum or from a count.
    pub fn snapshot(&self) -> HistogramSnapshot {
        let read = |count: &AtomicU64| count.load(Ordering::Relaxed);
        HistogramSnapshot {
            bounds: self.bounds,
            counts: self.counts.iter().map(read).collect(),
            sum: read(&self.sum),
        }
    }
}

impl HistogramSnapshot {
    /// Returns the number of values.
    pub fn count(&self) -> u64 {
        self.counts.iter().sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread;

    #[test]
    fn upper_bounds_are_inclusive() {
        let histogram = Histogram::new(&[1, 10, 100]);
        for value in [0, 1, 2, 10, 11, 100, 101, 5_000] {
            histogram.record(value);
        }
        let snapshot = histogram.snapshot();
        assert_eq!(snapshot.counts, [2, 2, 2, 2]);
        assert_eq!(snapshot.sum, 5_225);
        assert_eq!(snapshot.count(), 8);
        assert_eq!(snapshot.bounds, [1, 10, 100]);
    }

    #[test]
    fn histogram_without_bounds_counts_every_value() {
        let histogram = Histogram::new(&[]);
        histogram.record(7);
        assert_eq!(histogram.snapshot().counts, [1]);
        assert_eq!(histogram.snapshot().sum, 7);
    }

    #[test]
    fn concurrent_values_are_all_counted() {
        let histogram = Histogram::new(&[3]);
        thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| (0..10_000).for_each(|value| histogram.record(value % 8)));
            }
        });
        let snapshot = histogram.snapshot();
        assert_eq!(snapshot.counts, [20_000, 20_000]);
        assert_eq!(snapshot.sum, 4 * 10_000 / 8 * 28);
    }
}
