//! Time measurement.

use std::time::{Duration, Instant};

/// Runs `work` and measures its duration.
pub(crate) fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    #[expect(clippy::disallowed_methods, reason = "durations are only reported")]
    let start = Instant::now();
    let result = work();
    (result, start.elapsed())
}
