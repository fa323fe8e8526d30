//! Monotonic time of the rate limiters, independent of the wall clock.

use std::sync::Arc;
use std::time::{Duration, Instant};

/// Monotonic clock: the time since a fixed moment.
#[derive(Clone)]
pub struct MonotonicClock(Arc<dyn Fn() -> Duration + Send + Sync>);

impl MonotonicClock {
    /// Returns the machine's monotonic clock.
    #[expect(
        clippy::disallowed_methods,
        reason = "the one place that brings monotonic time in"
    )]
    pub fn system() -> Self {
        let start = Instant::now();
        Self(Arc::new(move || start.elapsed()))
    }

    /// Creates a clock that reads `elapsed`.
    pub fn from_fn(elapsed: impl Fn() -> Duration + Send + Sync + 'static) -> Self {
        Self(Arc::new(elapsed))
    }

    /// Returns the time since the fixed moment.
    pub fn elapsed(&self) -> Duration {
        (self.0)()
    }
}
