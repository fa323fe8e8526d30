//! How long answers took.

use anyhow::{Context, Result};
use hdrhistogram::Histogram;
use std::time::Duration;

/// The longest that is told from longer ones, in nanoseconds: a minute.
const MAX_LATENCY_NS: u64 = 60_000_000_000;
/// Digits that count.
const DIGITS: u8 = 3;
/// The shares of answers that took less: half, 99 of 100, 999 of 1,000.
const PERCENTILES: [f64; 3] = [0.5, 0.99, 0.999];

/// A histogram of times.
#[derive(Debug, Clone)]
pub(crate) struct Latency(Histogram<u64>);

impl Latency {
    /// An empty one.
    pub(crate) fn new() -> Result<Self> {
        Histogram::new_with_max(MAX_LATENCY_NS, DIGITS).map(Self).context("no histogram of times")
    }

    /// Counts an answer; one that took longer than a minute counts as a minute.
    pub(crate) fn add(&mut self, time: Duration) {
        self.0.saturating_record(u64::try_from(time.as_nanos()).unwrap_or(MAX_LATENCY_NS));
    }

    /// Answers counted.
    pub(crate) fn answers(&self) -> u64 {
        self.0.len()
    }

    /// Answers that took longer than this.
    #[cfg(test)]
    pub(crate) fn beyond(&self, time: Duration) -> u64 {
        let nanos = u64::try_from(time.as_nanos()).unwrap_or(MAX_LATENCY_NS);
        self.answers() - self.0.count_between(0, nanos)
    }

    /// The times that half of the answers, 99 of 100 and 999 of 1,000 took less than, in microseconds.
    pub(crate) fn percentiles(&self) -> [f64; 3] {
        PERCENTILES.map(|part| Duration::from_nanos(self.0.value_at_quantile(part)).as_secs_f64() * 1e6)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_those_of_the_times_that_were_counted() {
        let mut latency = Latency::new().unwrap();
        for micros in 1..=1000 {
            latency.add(Duration::from_micros(micros));
        }
        assert_eq!(latency.answers(), 1000);
        for (found, expected) in latency.percentiles().iter().zip([500.0, 990.0, 999.0]) {
            assert!((found - expected).abs() / expected < 0.002, "{found} instead of {expected}");
        }
    }

    #[test]
    fn what_took_for_ever_counts_as_a_minute() {
        let mut latency = Latency::new().unwrap();
        latency.add(Duration::from_hours(1));
        let [half, ..] = latency.percentiles();
        assert!((half / 60e6 - 1.0).abs() < 0.01, "{half}");
    }
}
