//! Run of failures of an endpoint: the time since which every attempt has failed.

use super::{MAX_RETRY_AFTER, MAX_WAIT};
use crate::vocabulary::Timestamp;
use std::time::Duration;

/// Time of nothing but failures after which an endpoint is disabled.
pub const DISABLE_AFTER: Duration = Duration::from_hours(5 * 24);
/// Time of nothing but failures after which an endpoint is reported as failing.
pub const REPORT_AFTER: Duration = Duration::from_hours(1);
/// Minimum pause of an endpoint after a failure, before an event is sent to it for the first time. Retries have their own
/// schedule.
pub(super) const FAILING_PAUSE: Duration = Duration::from_secs(5);

/// Failures of an endpoint since its last success.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FailureRun {
    /// The time of the first failure.
    pub since: Timestamp,
    /// The time of the last failure.
    pub last_at: Timestamp,
    /// The counted duration: the sum of the gaps between failures, each limited.
    pub duration: Duration,
    /// `true` after the endpoint was reported as failing.
    pub is_reported: bool,
    /// The time before which no event is sent for the first time: the pause of a failing endpoint.
    pub paused_until: Timestamp,
}

impl FailureRun {
    /// Returns the run after a failure at `now`, whose answer asks for a pause of `retry_after`.
    pub(super) fn after_failure(
        run: Option<Self>,
        retry_after: Option<Duration>,
        now: Timestamp,
    ) -> Self {
        let run = run.unwrap_or(Self {
            since: now,
            last_at: now,
            duration: Duration::ZERO,
            is_reported: false,
            paused_until: now,
        });
        let pause = retry_after.unwrap_or_default().min(MAX_RETRY_AFTER);
        // A clock that jumps ahead brings the end of a run forward by at most the longest wait, and an endpoint without events
        // is not disabled for its silence.
        let gap = now.saturating_since(run.last_at).min(MAX_WAIT);
        Self {
            last_at: now,
            duration: run.duration.saturating_add(gap),
            paused_until: now.saturating_add(pause.max(FAILING_PAUSE)),
            ..run
        }
    }

    /// Returns `true` if the endpoint is to be disabled.
    pub(super) fn is_over(&self) -> bool {
        self.duration >= DISABLE_AFTER
    }

    /// Returns `true` if the endpoint is to be reported as failing, which happens once in a run.
    pub(super) fn is_due_for_report(&self) -> bool {
        !self.is_reported && self.duration >= REPORT_AFTER
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the run after failures at these hours.
    fn run(hours: &[i64]) -> FailureRun {
        let run = hours.iter().fold(None, |run, hour| {
            let now = Timestamp::from_millis(1_795_000_000_000 + hour * 3_600_000);
            Some(FailureRun::after_failure(run, None, now))
        });
        run.unwrap()
    }

    #[test]
    fn run_ends_after_five_days_of_failures() {
        assert!(!run(&[0]).is_over());
        assert!(!run(&[0, 24, 48, 72, 96, 119]).is_over());
        assert!(run(&[0, 24, 48, 72, 96, 120]).is_over());
    }

    #[test]
    fn run_is_reported_after_an_hour() {
        assert!(!run(&[0]).is_due_for_report());
        assert!(run(&[0, 1]).is_due_for_report());
        let reported_run = FailureRun {
            is_reported: true,
            ..run(&[0, 1])
        };
        assert!(!reported_run.is_due_for_report());
    }

    #[test]
    fn answer_lengthens_the_pause_up_to_a_day() {
        let now = Timestamp::from_millis(1_795_000_000_000);
        let pause = |retry_after| {
            let run = FailureRun::after_failure(None, retry_after, now);
            run.paused_until.saturating_since(now)
        };
        assert_eq!(pause(None), FAILING_PAUSE);
        assert_eq!(pause(Some(Duration::from_secs(1))), FAILING_PAUSE);
        assert_eq!(pause(Some(Duration::from_mins(9))), Duration::from_mins(9));
        assert_eq!(pause(Some(Duration::MAX)), MAX_RETRY_AFTER);
    }

    #[test]
    fn clock_jump_disables_no_endpoint() {
        assert!(!run(&[0, 24 * 365]).is_over());
        assert!(!run(&[0, 24, 48, 72, -24 * 365]).is_over());
        assert!(!run(&[0, 24 * 365, 24 * 365 + 90]).is_over());
        let back = run(&[0, 24, -1_000, -976, -952, -928, -904]);
        assert!(back.is_over(), "counts after a jump back, too: {back:?}");
    }
}
