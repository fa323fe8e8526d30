//! Stopwatch on the monotonic clock.

use std::time::{Duration, Instant};

/// Stopwatch.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Stopwatch(Instant);

impl Stopwatch {
    /// Starts the stopwatch.
    #[expect(
        clippy::disallowed_methods,
        reason = "the benchmark measures durations"
    )]
    pub(crate) fn start() -> Self {
        Self(Instant::now())
    }

    /// Returns the time since the start.
    pub(crate) fn elapsed(self) -> Duration {
        self.0.elapsed()
    }
}
