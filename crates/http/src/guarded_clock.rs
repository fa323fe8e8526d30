//! Clock guard: compares the wall clock with the monotonic clock and with recorded times.

use crate::limits::MonotonicClock;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use voight_domain::Timestamp;
use voight_domain::clock_guard::{AcknowledgedTime, ClockError, ClockGuard, RecordedTime};
use voight_domain::ports::Clock;

/// Times of both clocks at one moment.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ClockReading {
    /// Time of the wall clock.
    pub(crate) wall: Timestamp,
    /// Time of the monotonic clock.
    pub(crate) elapsed: Duration,
}

/// Rejected time of the wall clock.
pub(crate) struct ClockRejection {
    /// Reason for the rejection.
    pub(crate) doubt: ClockError,
    /// Result of acknowledging the time.
    pub(crate) accepted: AcknowledgedTime,
    /// Monotonic time of the evaluation.
    passed: Duration,
}

/// Wall clock with its guard.
pub struct GuardedClock {
    clock: Arc<dyn Clock>,
    monotonic_clock: MonotonicClock,
    guard: Mutex<ClockGuard>,
}

impl GuardedClock {
    /// Starts the guard without recorded times.
    pub(crate) fn new(clock: Arc<dyn Clock>, monotonic_clock: MonotonicClock) -> Self {
        Self {
            clock,
            monotonic_clock,
            guard: Mutex::default(),
        }
    }

    /// Returns the reason why the wall clock is rejected now, or `None` if it is accepted. While it is rejected, only changes
    /// by operators may be dated by it.
    pub fn error(&self) -> Option<ClockError> {
        self.error_at(self.read())
    }

    /// Returns the reason why the wall clock was rejected at `at`, or `None` if it was accepted.
    pub(crate) fn error_at(&self, at: ClockReading) -> Option<ClockError> {
        self.lock().evaluate(at.wall, at.elapsed)
    }

    /// Adds a recorded time with which the clock is compared.
    pub fn set_recorded_time(&self, recorded: RecordedTime) {
        self.lock().set_recorded_time(recorded);
    }

    /// Records that a row was written at `at` or later.
    pub(crate) fn note_row_written(&self, at: ClockReading) {
        let mut guard = self.lock();
        // While the clock is rejected, its time must not become a recorded time; the row is older.
        if guard.evaluate(at.wall, at.elapsed).is_none() {
            guard.set_recorded_time(RecordedTime::default().with_row(at.wall));
        }
    }

    /// Returns the time that an operator can acknowledge now; `None` if the clock is accepted.
    pub(crate) fn rejection(&self) -> Option<ClockRejection> {
        let ClockReading { wall, elapsed } = self.read();
        let mut guard = self.lock();
        let doubt = guard.evaluate(wall, elapsed)?;
        Some(ClockRejection {
            doubt,
            accepted: guard.acknowledgement(wall, elapsed),
            passed: elapsed,
        })
    }

    /// Acknowledges the time of the rejection, and the time that passes from then on.
    pub(crate) fn accept(
        &self,
        ClockRejection {
            accepted, passed, ..
        }: &ClockRejection,
    ) {
        self.lock().acknowledge(*accepted, *passed);
    }

    /// Returns the time of the wall clock.
    pub fn now(&self) -> Timestamp {
        self.clock.now()
    }

    /// Returns the times of both clocks.
    pub(crate) fn read(&self) -> ClockReading {
        ClockReading {
            wall: self.clock.now(),
            elapsed: self.monotonic_clock.elapsed(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, ClockGuard> {
        self.guard.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
