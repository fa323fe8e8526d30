//! Clocks of the machine.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use voight_domain::Timestamp;
use voight_domain::ports::Clock;

/// Wall clock of the machine.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct SystemClock;

impl Clock for SystemClock {
    #[expect(
        clippy::disallowed_methods,
        reason = "this is the adapter of the `Clock` port"
    )]
    fn now(&self) -> Timestamp {
        let millis = |span: Duration| i64::try_from(span.as_millis()).unwrap_or(i64::MAX);
        match SystemTime::now().duration_since(UNIX_EPOCH) {
            Ok(since) => Timestamp::from_millis(millis(since)),
            Err(before) => Timestamp::from_millis(-millis(before.duration())),
        }
    }
}

/// Monotonic clock: elapsed time, independent of changes of the wall clock.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Monotonic(Instant);

impl Monotonic {
    /// Starts to measure.
    #[expect(
        clippy::disallowed_methods,
        reason = "the monotonic clock is read here only"
    )]
    pub(crate) fn start() -> Self {
        Self(Instant::now())
    }

    /// Returns the time since the start.
    pub(crate) fn elapsed(&self) -> Duration {
        self.0.elapsed()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_wall_clock_shows_a_time_after_this_was_written() {
        let past: Timestamp = "2026-01-01T00:00:00Z".parse().unwrap();
        assert!(SystemClock.now() > past);
    }
}
