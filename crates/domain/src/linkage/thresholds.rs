//! Match thresholds of movement fingerprints.

/// Number of fingerprints in the index for which the thresholds were measured.
const MEASURED_AT: f64 = 5_000.0;
/// Thresholds at that size.
///
/// Each permits one of two thousand movements to match a movement of another person anywhere in the index, so both
/// together one of a thousand. `voight-detection-eval` measures them (`replay`).
const MEASURED: MatchThresholds = MatchThresholds {
    by_time: 0.0029,
    by_length: 0.0022,
};
/// Measured growth of the false match rate with the threshold.
///
/// Twice the threshold gives `2^4` times the rate.
const FALSE_MATCH_EXPONENT: f64 = 4.0;
/// Minimum index size for the computation: looser thresholds were never measured.
const MIN_INDEX_SIZE: usize = 500;

/// Maximum distances at which two movements match.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MatchThresholds {
    /// Threshold of the shapes by time.
    pub by_time: f64,
    /// Threshold of the shapes by length.
    pub by_length: f64,
}

impl MatchThresholds {
    /// Returns the thresholds for an index with this number of fingerprints.
    ///
    /// False matches increase with the number of fingerprints, so the thresholds decrease: `limit(n) = limit(5000)
    /// (5000 / n)^(1/4)` keeps the probability that a movement matches any of them by accident at one in a thousand.
    pub fn for_index_size(traces: usize) -> Self {
        let traces = u32::try_from(traces.max(MIN_INDEX_SIZE)).unwrap_or(u32::MAX);
        let tighter = (MEASURED_AT / f64::from(traces)).powf(FALSE_MATCH_EXPONENT.recip());
        Self {
            by_time: MEASURED.by_time * tighter,
            by_length: MEASURED.by_length * tighter,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thresholds_tighten_as_the_index_grows() {
        let by_time = |traces| MatchThresholds::for_index_size(traces).by_time;
        assert!((by_time(5_000) - MEASURED.by_time).abs() < 1e-12);
        assert!(by_time(4_096) > by_time(5_000) && by_time(5_000) > by_time(1_000_000));
        assert!((by_time(0) - by_time(MIN_INDEX_SIZE)).abs() < 1e-12);
        let ratio = by_time(5_000) / by_time(5_000 * 16);
        assert!(
            (ratio - 2.0).abs() < 1e-9,
            "16 times the traces, half the limit: {ratio}"
        );
    }
}
