//! A clock that moves when it is told to.

use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;
use voight_domain::Timestamp;
use voight_domain::ports::Clock;

/// A clock that stands still between [`set`](Self::set) and [`advance`](Self::advance).
#[derive(Debug)]
pub struct ManualClock(AtomicI64);

impl ManualClock {
    /// A clock that shows `now`.
    pub const fn at(now: Timestamp) -> Self {
        Self(AtomicI64::new(now.as_millis()))
    }

    /// Shows `now` from here on; it may lie in the past.
    pub fn set(&self, now: Timestamp) {
        self.0.store(now.as_millis(), Ordering::SeqCst);
    }

    /// Moves on by `span`.
    pub fn advance(&self, span: Duration) {
        self.set(self.now().plus(span));
    }
}

impl Clock for ManualClock {
    fn now(&self) -> Timestamp {
        Timestamp::from_millis(self.0.load(Ordering::SeqCst))
    }
}
