//! Time measurement.

use std::time::{Duration, Instant};

/// Runs `work` and measures its duration.
pub(crate) fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    #[expect(
        clippy::disallowed_methods,
        reason = "this tool reports how long things took; no rule of the product depends on it"
    )]
    let start = Instant::now();
    let result = work();
    (result, start.elapsed())
}
