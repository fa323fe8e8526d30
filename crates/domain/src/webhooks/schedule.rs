//! Schedule of retries.

use super::AttemptOutcome;
use std::time::Duration;

/// Maximum wait for which `Retry-After` is honoured.
pub const MAX_RETRY_AFTER: Duration = Duration::from_hours(24);
/// Additional wait after an answer with the status 429, 502 or 504.
pub const OVERLOAD_PENALTY: Duration = Duration::from_mins(1);

/// Maximum wait between two attempts: the longest wait of the schedule with its jitter.
pub const MAX_WAIT: Duration =
    Duration::from_secs(MAX_RETRY_AFTER.as_secs() * 6 / 5 + OVERLOAD_PENALTY.as_secs());

/// Retry schedule of an event: at most ten attempts in about three days.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RetrySchedule;

impl RetrySchedule {
    /// Delays before each attempt, without jitter. After the last attempt the event is given up.
    pub const DELAYS: [Duration; 10] = [
        Duration::ZERO,
        Duration::from_secs(5),
        Duration::from_mins(5),
        Duration::from_mins(30),
        Duration::from_hours(2),
        Duration::from_hours(5),
        Duration::from_hours(10),
        Duration::from_hours(14),
        Duration::from_hours(20),
        Duration::from_hours(24),
    ];

    /// Returns the wait after the last of `failures` failed attempts; `None` if the event is to be given up.
    ///
    /// The wait is the delay of the schedule with a jitter of at most 20 % in both directions, which the uniformly
    /// distributed number `random` determines, plus [`OVERLOAD_PENALTY`] for an overload. A longer `Retry-After` replaces
    /// it, up to [`MAX_RETRY_AFTER`].
    pub fn wait(failures: u8, outcome: AttemptOutcome, random: u32) -> Option<Duration> {
        let delay = Self::DELAYS.get(usize::from(failures))?;
        let mut wait = with_jitter(*delay, random);
        if outcome.is_overload() {
            wait += OVERLOAD_PENALTY;
        }
        match outcome {
            AttemptOutcome::Answered {
                retry_after: Some(retry_after),
                ..
            } => Some(wait.max(retry_after.min(MAX_RETRY_AFTER))),
            AttemptOutcome::Answered { .. } | AttemptOutcome::Failed(_) => Some(wait),
        }
    }
}

/// Returns 80 % of the delay plus the share `random` of 40 %, in milliseconds.
fn with_jitter(delay: Duration, random: u32) -> Duration {
    let millis = u64::try_from(delay.as_millis()).unwrap_or(u64::MAX / 2);
    let range = u128::from(millis) * 2 / 5;
    let share = range * u128::from(random) / u128::from(u32::MAX);
    let base = millis - millis / 5;
    Duration::from_millis(base.saturating_add(u64::try_from(share).unwrap_or(u64::MAX)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::webhooks::AttemptError;
    use proptest::prelude::*;

    const TIMEOUT: AttemptOutcome = AttemptOutcome::Failed(AttemptError::Timeout);

    fn answered(status: u16, retry_after: Option<u64>) -> AttemptOutcome {
        AttemptOutcome::Answered {
            status,
            retry_after: retry_after.map(Duration::from_secs),
        }
    }

    proptest! {
        #[test]
        fn jitter_is_at_most_20_percent(failures in 0_u8..10, random: u32) {
            let delay = RetrySchedule::DELAYS[usize::from(failures)];
            let wait = RetrySchedule::wait(failures, TIMEOUT, random).unwrap();
            prop_assert!(wait >= delay * 4 / 5, "{wait:?}");
            prop_assert!(wait <= delay * 6 / 5, "{wait:?}");
        }
    }

    #[test]
    fn jitter_uses_the_complete_range() {
        let wait = |random| RetrySchedule::wait(9, TIMEOUT, random).unwrap();
        assert_eq!(wait(0), Duration::from_mins(24 * 60 * 4 / 5));
        assert_eq!(wait(u32::MAX), Duration::from_mins(24 * 60 * 6 / 5));
        let middle = wait(u32::MAX / 2).as_secs();
        assert!(middle.abs_diff(86_400) <= 1, "{middle}");
    }

    #[test]
    fn event_is_given_up_after_ten_failures() {
        for failures in 0..10 {
            assert!(RetrySchedule::wait(failures, TIMEOUT, 0).is_some());
        }
        assert_eq!(RetrySchedule::wait(10, TIMEOUT, 0), None);
        assert_eq!(RetrySchedule::wait(10, answered(503, Some(5)), 0), None);
    }

    #[test]
    fn overload_adds_a_minute() {
        let wait = |status| RetrySchedule::wait(1, answered(status, None), 0).unwrap();
        for status in [429, 502, 504] {
            assert_eq!(wait(status), Duration::from_secs(64), "{status}");
        }
        for status in [301, 400, 500, 503] {
            assert_eq!(wait(status), Duration::from_secs(4), "{status}");
        }
    }

    #[test]
    fn retry_after_lengthens_the_wait_up_to_a_day() {
        let wait = |status, seconds| {
            let outcome = answered(status, Some(seconds));
            RetrySchedule::wait(1, outcome, 0).unwrap().as_secs()
        };
        assert_eq!(wait(503, 3), 4, "shorter than the schedule");
        assert_eq!(wait(503, 3_600), 3_600);
        assert_eq!(wait(429, 3_600), 3_600);
        assert_eq!(wait(429, 10), 64);
        assert_eq!(wait(503, 86_400), 86_400);
        for seconds in [86_401, u64::MAX] {
            assert_eq!(wait(503, seconds), 86_400);
        }
    }
}
