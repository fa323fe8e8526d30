//! Measurement of durations that are only reported.

use std::time::{Duration, Instant};

/// Stopwatch that runs from its creation.
#[derive(Debug, Clone, Copy)]
pub struct Stopwatch(Instant);

impl Stopwatch {
    /// Starts a stopwatch.
    #[expect(
        clippy::disallowed_methods,
        reason = "durations are only reported: no rule depends on them"
    )]
    pub fn start() -> Self {
        Self(Instant::now())
    }

    /// Returns the time since the start.
    pub fn elapsed(&self) -> Duration {
        self.0.elapsed()
    }
}
