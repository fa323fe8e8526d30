//! Latency distribution.

use anyhow::{Context, Result};
use hdrhistogram::Histogram;
use std::time::Duration;

/// Maximum latency of the histogram in nanoseconds: one minute.
const MAX_LATENCY_NS: u64 = 60_000_000_000;
/// Number of significant digits.
const DIGITS: u8 = 3;
/// Quantiles p50, p99 and p99.9.
const PERCENTILES: [f64; 3] = [0.5, 0.99, 0.999];

/// Histogram of latencies.
#[derive(Debug, Clone)]
pub(crate) struct Latency(Histogram<u64>);

impl Latency {
    /// Creates an empty histogram.
    pub(crate) fn new() -> Result<Self> {
        Histogram::new_with_max(MAX_LATENCY_NS, DIGITS)
            .map(Self)
            .context("cannot create a histogram")
    }

    /// Records a latency of at most a minute; a longer one is recorded as a minute.
    pub(crate) fn add(&mut self, time: Duration) {
        self.0
            .saturating_record(u64::try_from(time.as_nanos()).unwrap_or(MAX_LATENCY_NS));
    }

    /// Returns the number of recorded responses.
    pub(crate) fn answers(&self) -> u64 {
        self.0.len()
    }

    /// Returns the number of responses that took longer than `time`.
    #[cfg(test)]
    pub(crate) fn beyond(&self, time: Duration) -> u64 {
        let nanos = u64::try_from(time.as_nanos()).unwrap_or(MAX_LATENCY_NS);
        self.answers() - self.0.count_between(0, nanos)
    }

    /// Returns p50, p99 and p99.9 in microseconds.
    pub(crate) fn percentiles(&self) -> [f64; 3] {
        PERCENTILES
            .map(|part| Duration::from_nanos(self.0.value_at_quantile(part)).as_secs_f64() * 1e6)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_of_known_latencies_are_exact() {
        let mut latency = Latency::new().unwrap();
        for micros in 1..=1000 {
            latency.add(Duration::from_micros(micros));
        }
        assert_eq!(latency.answers(), 1000);
        for (actual, expected) in latency.percentiles().iter().zip([500.0, 990.0, 999.0]) {
            assert!(
                (actual - expected).abs() / expected < 0.002,
                "{actual}, expected {expected}"
            );
        }
    }

    #[test]
    fn latency_is_capped_at_a_minute() {
        let mut latency = Latency::new().unwrap();
        latency.add(Duration::from_hours(1));
        let [half, ..] = latency.percentiles();
        assert!((half / 60e6 - 1.0).abs() < 0.01, "{half}");
    }
}
