//! Manual clock for tests.

use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;
use voight_domain::Timestamp;
use voight_domain::ports::Clock;

/// Clock that changes only by [`set`](Self::set) and [`advance`](Self::advance).
#[derive(Debug)]
pub struct ManualClock(AtomicI64);

impl ManualClock {
    /// Creates a clock that returns `now`.
    pub const fn new(now: Timestamp) -> Self {
        Self(AtomicI64::new(now.as_millis()))
    }

    /// Sets the time, which may be in the past.
    pub fn set(&self, now: Timestamp) {
        self.0.store(now.as_millis(), Ordering::SeqCst);
    }

    /// Advances the time by `span`. Concurrent calls add up.
    pub fn advance(&self, span: Duration) {
        self.0.fetch_add(i64::try_from(span.as_millis()).unwrap_or(i64::MAX), Ordering::SeqCst);
    }
}

impl Clock for ManualClock {
    fn now(&self) -> Timestamp {
        Timestamp::from_millis(self.0.load(Ordering::SeqCst))
    }
}
