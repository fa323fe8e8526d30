//! Clock guard: compares the wall clock with the monotonic clock and with recorded times.

use crate::limits::MonotonicClock;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use voight_domain::Timestamp;
use voight_domain::clock_guard::{AcknowledgedTime, ClockError, ClockGuard, RecordedTime};
use voight_domain::ports::Clock;

/// Rejected time of the wall clock.
pub(crate) struct ClockDispute {
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
    ticks: MonotonicClock,
    timekeeping: Mutex<ClockGuard>,
}

impl GuardedClock {
    /// Starts the guard without recorded times.
    pub(crate) fn new(clock: Arc<dyn Clock>, ticks: MonotonicClock) -> Self {
        Self { clock, ticks, timekeeping: Mutex::default() }
    }

    /// Returns the reason why the wall clock is rejected now, or `None` if it is accepted. While it is rejected, only changes
    /// by operators may be dated by it.
    pub fn error(&self) -> Option<ClockError> {
        let (shows, passed) = self.read();
        self.lock().evaluate(shows, passed)
    }

    /// Adds a recorded time with which the clock is compared.
    pub fn set_recorded_time(&self, recorded: RecordedTime) {
        self.lock().set_recorded_time(recorded);
    }

    /// Records that a row was written just now.
    pub(crate) fn note_row_written(&self) {
        let (shows, passed) = self.read();
        let mut timekeeping = self.lock();
        // While the clock is rejected, its time must not become a recorded time; the row is older.
        if timekeeping.evaluate(shows, passed).is_none() {
            timekeeping.set_recorded_time(RecordedTime::default().with_row(shows));
        }
    }

    /// Returns the time that an operator can acknowledge now; `None` if the clock is accepted.
    pub(crate) fn dispute(&self) -> Option<ClockDispute> {
        let (shows, passed) = self.read();
        let mut timekeeping = self.lock();
        let doubt = timekeeping.evaluate(shows, passed)?;
        Some(ClockDispute { doubt, accepted: timekeeping.acknowledgement(shows, passed), passed })
    }

    /// Acknowledges the time of the dispute, and the time that passes from then on.
    pub(crate) fn accept(&self, ClockDispute { accepted, passed, .. }: &ClockDispute) {
        self.lock().acknowledge(*accepted, *passed);
    }

    /// Returns the time of the wall clock.
    pub fn now(&self) -> Timestamp {
        self.clock.now()
    }

    fn read(&self) -> (Timestamp, Duration) {
        (self.clock.now(), self.ticks.elapsed())
    }

    fn lock(&self) -> MutexGuard<'_, ClockGuard> {
        self.timekeeping.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
