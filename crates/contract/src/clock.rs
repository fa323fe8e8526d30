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
    pub const fn new(now: Timestamp) -> Self {
        Self(AtomicI64::new(now.as_millis()))
    }

    /// Shows `now` from here on; it may lie in the past.
    pub fn set(&self, now: Timestamp) {
        self.0.store(now.as_millis(), Ordering::SeqCst);
    }

    /// Moves on by `span`, also if several threads do so at once.
    pub fn advance(&self, span: Duration) {
        self.0.fetch_add(i64::try_from(span.as_millis()).unwrap_or(i64::MAX), Ordering::SeqCst);
    }
}

impl Clock for ManualClock {
    fn now(&self) -> Timestamp {
        Timestamp::from_millis(self.0.load(Ordering::SeqCst))
    }
}
