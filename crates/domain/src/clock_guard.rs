//! Clock guard: rejects a wall clock that jumped.
//!
//! Ledger rows take their date from the wall clock, so a wrong clock would bill a lookup in the wrong period. The guard
//! compares it with two values that the wall clock cannot change: the time elapsed since it was first accepted, and the
//! recorded dates. An operator who knows that the clock is right can acknowledge it.

use crate::vocabulary::Timestamp;
use std::fmt;
use std::time::Duration;

/// Maximum lead of the wall clock over the elapsed time.
pub const MAX_AHEAD: Duration = Duration::from_mins(10);
/// Maximum lag of the wall clock behind the last row of any ledger.
pub const MAX_BEHIND: Duration = Duration::from_hours(24);

/// Reason for the rejection of the wall clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClockError {
    /// The wall clock is ahead of the elapsed time.
    Ahead {
        /// The time of the wall clock.
        shows: Timestamp,
        /// The time that follows from the elapsed time.
        expected: Timestamp,
    },
    /// The wall clock is behind the recorded dates.
    Behind {
        /// The time of the wall clock.
        shows: Timestamp,
        /// The latest recorded date with which the clock is compared.
        recorded: Timestamp,
    },
}

impl fmt::Display for ClockError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ahead { shows, expected } => {
                write!(
                    f,
                    "the wall clock shows {shows}, and by the time that has passed it should show {expected}"
                )
            }
            Self::Behind { shows, recorded } => {
                write!(
                    f,
                    "the wall clock shows {shows}, more than a day before {recorded}, the latest date on record"
                )
            }
        }
    }
}

/// Time that an operator has acknowledged although the clock guard rejected it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AcknowledgedTime {
    /// The time of the wall clock at the acknowledgement.
    pub at: Timestamp,
    /// Recorded dates up to this one no longer reject a clock that is behind them.
    pub ignore_until: Timestamp,
}

/// Recorded times of a store.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RecordedTime {
    /// The date of the last row of any ledger; the Unix epoch if there is none.
    pub last_row: Timestamp,
    /// The acknowledgement of an operator that covers `last_row`.
    pub accepted: Option<AcknowledgedTime>,
}

impl RecordedTime {
    /// Returns the date behind which the wall clock must not be by more than [`MAX_BEHIND`].
    fn latest(&self) -> Timestamp {
        let covering = self
            .accepted
            .filter(|acknowledgement| self.last_row <= acknowledgement.ignore_until);
        covering.map_or(self.last_row, |acknowledgement| {
            self.last_row.min(acknowledgement.at)
        })
    }

    /// Returns the recorded times after a row of this date.
    #[must_use]
    pub fn with_row(self, at: Timestamp) -> Self {
        Self {
            last_row: self.last_row.max(at),
            ..self
        }
    }
}

/// Returns `true` if a clock that shows `shows` is too far behind `recorded`.
pub fn is_behind(clock_time: Timestamp, recorded: Timestamp) -> bool {
    recorded.saturating_since(clock_time) > MAX_BEHIND
}

/// Clock guard of a running service. `passed` is always the time elapsed since the same fixed moment, measured
/// independently of the wall clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ClockGuard {
    /// The wall time of the fixed moment, by the clock when it was first accepted.
    origin: Option<Timestamp>,
    recorded: RecordedTime,
}

impl ClockGuard {
    /// Evaluates the wall clock; returns an error if it is rejected. A clock that is behind from the start is first
    /// accepted when it no longer is: correcting it is not a jump ahead.
    pub fn evaluate(&mut self, clock_time: Timestamp, elapsed: Duration) -> Option<ClockError> {
        let recorded_time = self.recorded.latest();
        if is_behind(clock_time, recorded_time) {
            return Some(ClockError::Behind {
                shows: clock_time,
                recorded: recorded_time,
            });
        }
        let expected_time = self
            .origin
            .get_or_insert(clock_time.saturating_sub(elapsed))
            .saturating_add(elapsed);
        (clock_time.saturating_since(expected_time) > MAX_AHEAD).then_some(ClockError::Ahead {
            shows: clock_time,
            expected: expected_time,
        })
    }

    /// Updates the recorded times from the ledgers.
    pub fn set_recorded_time(&mut self, recorded: RecordedTime) {
        let acknowledgement = recorded.accepted.or(self.recorded.accepted);
        self.recorded = RecordedTime {
            accepted: acknowledgement,
            ..self.recorded.with_row(recorded.last_row)
        };
    }

    /// Returns the acknowledgement of a clock that shows `shows`.
    ///
    /// The acknowledgement covers all later recorded dates, and the elapsed time.
    pub fn acknowledgement(&self, clock_time: Timestamp, elapsed: Duration) -> AcknowledgedTime {
        let expected_time = self.origin.map(|origin| origin.saturating_add(elapsed));
        AcknowledgedTime {
            at: clock_time,
            ignore_until: self
                .recorded
                .last_row
                .max(expected_time.unwrap_or_default()),
        }
    }

    /// Accepts the wall clock from now on.
    pub fn acknowledge(&mut self, accepted: AcknowledgedTime, passed: Duration) {
        self.origin = Some(accepted.at.saturating_sub(passed));
        self.recorded.accepted = Some(accepted);
    }
}

#[cfg(test)]
#[path = "clock_guard/tests.rs"]
mod tests;
