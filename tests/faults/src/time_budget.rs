//! Time budget of a run.

use std::time::{Duration, Instant};

/// Time budget of a run.
#[derive(Debug, Clone, Copy)]
pub struct TimeBudget {
    started: Instant,
    time: Option<Duration>,
}

impl TimeBudget {
    /// Starts the budget now, without a limit if `time` is `None`.
    #[expect(
        clippy::disallowed_methods,
        reason = "the time budget of a run is wall-clock time"
    )]
    pub fn start(time: Option<Duration>) -> Self {
        Self {
            started: Instant::now(),
            time,
        }
    }

    /// Returns `true` if the time is used up.
    pub fn is_spent(&self) -> bool {
        self.time.is_some_and(|time| self.elapsed() >= time)
    }

    /// Returns the elapsed time in milliseconds.
    pub fn millis(&self) -> u64 {
        u64::try_from(self.elapsed().as_millis()).unwrap_or(u64::MAX)
    }

    /// Returns the elapsed time.
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }
}
