//! The wall clock of a process, held against the time that passes and against what is on record.

use crate::limits::MonotonicClock;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use voight_domain::Timestamp;
use voight_domain::ports::Clock;
use voight_domain::timekeeping::{AcknowledgedTime, ClockError, ClockGuard, RecordedTime};

/// A time that is in doubt.
pub(crate) struct ClockDispute {
    /// Why it is.
    pub(crate) doubt: ClockError,
    /// What accepting it means.
    pub(crate) accepted: AcknowledgedTime,
    /// The time that had passed when it was looked at.
    passed: Duration,
}

/// The wall clock, and whether it can be believed.
pub struct GuardedClock {
    clock: Arc<dyn Clock>,
    ticks: MonotonicClock,
    timekeeping: Mutex<ClockGuard>,
}

impl GuardedClock {
    /// From now on, with nothing on record yet.
    pub(crate) fn new(clock: Arc<dyn Clock>, ticks: MonotonicClock) -> Self {
        Self { clock, ticks, timekeeping: Mutex::default() }
    }

    /// Why the wall clock cannot be believed at this moment; `None` if it can. While it cannot, nothing is to be dated by it
    /// but what operators do.
    pub fn error(&self) -> Option<ClockError> {
        let (shows, passed) = self.read();
        self.lock().evaluate(shows, passed)
    }

    /// Holds the clock against this, too.
    pub fn set_recorded_time(&self, recorded: RecordedTime) {
        self.lock().set_recorded_time(recorded);
    }

    /// Notes that a row was written just now.
    pub(crate) fn note_row_written(&self) {
        let (shows, passed) = self.read();
        let mut timekeeping = self.lock();
        // In doubt the row is older than the doubt.
        if timekeeping.evaluate(shows, passed).is_none() {
            timekeeping.set_recorded_time(RecordedTime::default().with_row(shows));
        }
    }

    /// What an operator can accept at this moment; `None` if the clock is believed.
    pub(crate) fn dispute(&self) -> Option<ClockDispute> {
        let (shows, passed) = self.read();
        let mut timekeeping = self.lock();
        let doubt = timekeeping.evaluate(shows, passed)?;
        Some(ClockDispute { doubt, accepted: timekeeping.acknowledgement(shows, passed), passed })
    }

    /// Believes what the wall clock showed then, and its going on from there.
    pub(crate) fn accept(&self, ClockDispute { accepted, passed, .. }: &ClockDispute) {
        self.lock().acknowledge(*accepted, *passed);
    }

    /// What the wall clock shows.
    pub(crate) fn now(&self) -> Timestamp {
        self.clock.now()
    }

    fn read(&self) -> (Timestamp, Duration) {
        (self.clock.now(), self.ticks.elapsed())
    }

    fn lock(&self) -> MutexGuard<'_, ClockGuard> {
        self.timekeeping.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
