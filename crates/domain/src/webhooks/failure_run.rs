//! Run of failures of an endpoint: the time since which every attempt has failed.

use super::{MAX_RETRY_AFTER, OVERLOAD_PENALTY};
use crate::vocabulary::Timestamp;
use std::time::Duration;

/// Time of nothing but failures after which an endpoint is disabled.
pub const DISABLE_AFTER: Duration = Duration::from_hours(5 * 24);
/// Time of nothing but failures after which an endpoint is reported as failing.
pub const REPORT_AFTER: Duration = Duration::from_hours(1);
/// Maximum time between two attempts that counts: the longest wait of the schedule with its jitter.
///
/// A clock that jumps ahead therefore brings the end of a run forward by at most this time, and an endpoint without
/// events is not disabled for its silence.
const MAX_COUNTED_GAP: Duration =
    Duration::from_secs(MAX_RETRY_AFTER.as_secs() * 6 / 5 + OVERLOAD_PENALTY.as_secs());

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
}

impl FailureRun {
    /// Returns the run after a failure at `now`.
    pub(super) fn after_failure(run: Option<Self>, now: Timestamp) -> Self {
        let run = run.unwrap_or(Self {
            since: now,
            last_at: now,
            duration: Duration::ZERO,
            is_reported: false,
        });
        let gap = now.saturating_since(run.last_at).min(MAX_COUNTED_GAP);
        Self {
            last_at: now,
            duration: run.duration.saturating_add(gap),
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
            Some(FailureRun::after_failure(run, now))
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
    fn clock_jump_disables_no_endpoint() {
        assert!(!run(&[0, 24 * 365]).is_over());
        assert!(!run(&[0, 24, 48, 72, -24 * 365]).is_over());
        assert!(!run(&[0, 24 * 365, 24 * 365 + 90]).is_over());
        let back = run(&[0, 24, -1_000, -976, -952, -928, -904]);
        assert!(back.is_over(), "counts after a jump back, too: {back:?}");
    }
}
