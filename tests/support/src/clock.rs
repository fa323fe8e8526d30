//! Clocks of tests.

use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::time::Duration;
use voight_domain::Timestamp;
use voight_domain::ports::Clock;

/// 15 January 2027, 08:00 UTC: the time of [`FixedClock`] and of the sample records.
pub const NOW: Timestamp = Timestamp::from_millis(1_800_000_000_000);

/// Clock that always returns [`NOW`].
#[derive(Debug, Clone, Copy)]
pub struct FixedClock;

impl Clock for FixedClock {
    fn now(&self) -> Timestamp {
        NOW
    }
}

/// Wall clock and monotonic clock that change only by [`set`](Self::set) and [`advance`](Self::advance).
#[derive(Debug)]
pub struct ManualClock {
    /// Time of the wall clock in milliseconds.
    now: AtomicI64,
    /// Time of the monotonic clock in milliseconds.
    elapsed: AtomicU64,
}

impl ManualClock {
    /// Creates a clock that returns `now`.
    pub const fn new(now: Timestamp) -> Self {
        Self {
            now: AtomicI64::new(now.as_millis()),
            elapsed: AtomicU64::new(0),
        }
    }

    /// Sets the wall clock only. The time may be in the past.
    pub fn set(&self, now: Timestamp) {
        self.now.store(now.as_millis(), Ordering::SeqCst);
    }

    /// Advances both clocks by `span`. Concurrent calls add up.
    pub fn advance(&self, span: Duration) {
        let span = i64::try_from(span.as_millis()).unwrap_or(i64::MAX);
        self.now.fetch_add(span, Ordering::SeqCst);
        self.elapsed
            .fetch_add(span.unsigned_abs(), Ordering::SeqCst);
    }

    /// Returns the time of the monotonic clock, which starts at zero.
    pub fn elapsed(&self) -> Duration {
        Duration::from_millis(self.elapsed.load(Ordering::SeqCst))
    }
}

impl Clock for ManualClock {
    fn now(&self) -> Timestamp {
        Timestamp::from_millis(self.now.load(Ordering::SeqCst))
    }
}
