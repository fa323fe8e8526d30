//! Whether the wall clock can be believed. Rows are dated by it, so a wrong one puts lookups into a wrong period.
//!
//! It is held against two things that it cannot change: the time that has passed since it was first believed, and the dates
//! on record. Who knows better may accept it all the same.

use crate::vocabulary::Timestamp;
use std::fmt;
use std::time::Duration;

/// How far the wall clock may run ahead of the time that has passed.
pub const MAX_AHEAD: Duration = Duration::from_mins(10);
/// How far it may be behind the last row of any ledger.
pub const MAX_BEHIND: Duration = Duration::from_hours(24);

/// Why the wall clock cannot be believed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClockError {
    /// It runs ahead of the time that has passed.
    Ahead {
        /// What it shows.
        shows: Timestamp,
        /// What it would show, had it only gone on.
        expected: Timestamp,
    },
    /// It is behind what is on record.
    Behind {
        /// What it shows.
        shows: Timestamp,
        /// The latest date on record that it is held against.
        recorded: Timestamp,
    },
}

impl fmt::Display for ClockError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ahead { shows, expected } => {
                write!(f, "the wall clock shows {shows}, and by the time that has passed it should show {expected}")
            }
            Self::Behind { shows, recorded } => {
                write!(f, "the wall clock shows {shows}, more than a day before {recorded}, the latest date on record")
            }
        }
    }
}

/// A time that an operator has accepted against what spoke against it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AcknowledgedTime {
    /// What the wall clock showed.
    pub at: Timestamp,
    /// Dates up to this one no longer speak against a clock that is behind them.
    pub ignore_until: Timestamp,
}

/// What is on record of the time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RecordedTime {
    /// The date of the last row of any ledger; the Unix epoch if there is none.
    pub last_row: Timestamp,
    /// What an operator has accepted, if that sets `last_row` aside.
    pub accepted: Option<AcknowledgedTime>,
}

impl RecordedTime {
    /// The date that the wall clock must not be far behind.
    fn latest(&self) -> Timestamp {
        let covering = self.accepted.filter(|accepted| self.last_row <= accepted.ignore_until);
        covering.map_or(self.last_row, |accepted| self.last_row.min(accepted.at))
    }

    /// What is on record after a row of this date.
    #[must_use]
    pub fn with_row(self, at: Timestamp) -> Self {
        Self { last_row: self.last_row.max(at), ..self }
    }
}

/// Whether a clock that shows `shows` is too far behind `recorded`.
pub fn is_behind(shows: Timestamp, recorded: Timestamp) -> bool {
    recorded.saturating_since(shows) > MAX_BEHIND
}

/// What the wall clock of a running service is held against. `passed` is always the time since the same fixed moment,
/// whatever was done to the wall clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ClockGuard {
    /// The wall time of the fixed moment, as the clock said when it was first believed.
    origin: Option<Timestamp>,
    recorded: RecordedTime,
}

impl ClockGuard {
    /// Looks at the wall clock. A clock that is behind from the start is first believed, and measured from, when it no longer
    /// is: putting it right is no jump ahead.
    pub fn evaluate(&mut self, shows: Timestamp, passed: Duration) -> Option<ClockError> {
        let recorded = self.recorded.latest();
        if is_behind(shows, recorded) {
            return Some(ClockError::Behind { shows, recorded });
        }
        let expected = self.origin.get_or_insert(shows.saturating_sub(passed)).saturating_add(passed);
        (shows.saturating_since(expected) > MAX_AHEAD).then_some(ClockError::Ahead { shows, expected })
    }

    /// Takes in what the ledgers say.
    pub fn set_recorded_time(&mut self, recorded: RecordedTime) {
        let accepted = recorded.accepted.or(self.recorded.accepted);
        self.recorded = RecordedTime { accepted, ..self.recorded.with_row(recorded.last_row) };
    }

    /// What accepting a clock that shows `shows` sets aside: everything on record that is later, and the time that has passed.
    pub fn acknowledgement(&self, shows: Timestamp, passed: Duration) -> AcknowledgedTime {
        let expected = self.origin.map(|origin| origin.saturating_add(passed));
        AcknowledgedTime { at: shows, ignore_until: self.recorded.last_row.max(expected.unwrap_or_default()) }
    }

    /// Believes the wall clock from now on.
    pub fn acknowledge(&mut self, accepted: AcknowledgedTime, passed: Duration) {
        self.origin = Some(accepted.at.saturating_sub(passed));
        self.recorded.accepted = Some(accepted);
    }
}

#[cfg(test)]
#[path = "timekeeping/tests.rs"]
mod tests;
