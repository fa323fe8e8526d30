//! Histograms of the commits of a store that writes many lookups at once.

use crate::histogram::{Histogram, HistogramSnapshot};
use std::time::Duration;

/// Upper bounds of durations, in microseconds.
const DURATION_BOUNDS: &[u64] = &[
    100, 250, 500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 1_000_000,
    2_500_000, 10_000_000,
];
/// Upper bounds of the number of writes in a group.
const SIZE_BOUNDS: &[u64] = &[1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024];

/// Histograms of committed groups of writes, which a store records.
#[derive(Debug)]
pub struct CommitHistograms {
    durations: Histogram,
    group_sizes: Histogram,
}

/// State of the histograms of commits at one moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommitSnapshot {
    /// Durations of commits, in microseconds.
    pub durations: HistogramSnapshot,
    /// Numbers of writes in the groups.
    pub group_sizes: HistogramSnapshot,
}

impl Default for CommitHistograms {
    fn default() -> Self {
        Self {
            durations: Histogram::new(DURATION_BOUNDS),
            group_sizes: Histogram::new(SIZE_BOUNDS),
        }
    }
}

impl CommitHistograms {
    /// Records the attempt to commit a group of `writes` writes.
    pub fn record(&self, writes: usize, duration: Duration) {
        self.durations
            .record(u64::try_from(duration.as_micros()).unwrap_or(u64::MAX));
        self.group_sizes.record(writes as u64);
    }

    /// Returns the current state.
    pub fn snapshot(&self) -> CommitSnapshot {
        CommitSnapshot {
            durations: self.durations.snapshot(),
            group_sizes: self.group_sizes.snapshot(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commits_are_recorded_with_size_and_duration() {
        let histograms = CommitHistograms::default();
        histograms.record(3, Duration::from_micros(700));
        histograms.record(2_000, Duration::from_secs(20));
        let CommitSnapshot {
            durations,
            group_sizes,
        } = histograms.snapshot();
        assert_eq!(durations.counts[3], 1, "up to 1 ms: {durations:?}");
        assert_eq!(durations.counts.last(), Some(&1));
        assert_eq!(durations.sum, 20_000_700);
        assert_eq!(group_sizes.counts[2], 1, "up to 4: {group_sizes:?}");
        assert_eq!(group_sizes.counts.last(), Some(&1));
        assert_eq!(group_sizes.sum, 2_003);
    }

    #[test]
    fn bounds_ascend() {
        assert!(DURATION_BOUNDS.is_sorted_by(|lower, upper| lower < upper));
        assert!(SIZE_BOUNDS.is_sorted_by(|lower, upper| lower < upper));
    }
}
