//! Buckets of the histograms.

/// Upper bounds of the duration buckets, in seconds.
pub(super) const BUCKETS: [f64; 12] = [
    0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 2.5, 10.0,
];
/// Upper bounds of the buckets of the time from an event to its delivery, in seconds: up to the end of the schedule.
pub(super) const LAG_BUCKETS: [f64; 10] = [
    0.1, 0.5, 1.0, 5.0, 10.0, 60.0, 600.0, 7_200.0, 86_400.0, 300_000.0,
];
