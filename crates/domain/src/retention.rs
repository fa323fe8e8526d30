//! Retention: the time for which data is stored.

use crate::check::CHECK_TTL;
use crate::vocabulary::Timestamp;
use std::time::Duration;

/// Time for which expired idempotency records, and markers of commits, are still stored: a clock that ran ahead and is set
/// back finds them again.
pub const EXPIRY_GRACE: Duration = Duration::from_hours(24);
/// Time after the expiry of a challenge in which the last batch of its check may still arrive.
const COMPLETION_GRACE: Duration = Duration::from_secs(30);
/// Lifetime of an idempotency record.
pub(crate) const IDEMPOTENCY_TTL: Duration = Duration::from_hours(24);
/// Retention of conclusions. It is far longer than the lifetime of a challenge, so that a clock correction makes no concluded
/// check valid again.
const CONCLUSION_RETENTION: Duration = Duration::from_hours(24);

/// Retention of evidence and addresses, which an operator configures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RetentionPolicy {
    /// Maximum retention of raw evidence; a context can have a shorter one.
    pub evidence_retention: Duration,
    /// Retention of the addresses behind ledger rows.
    pub address_retention: Duration,
}

impl Default for RetentionPolicy {
    fn default() -> Self {
        Self {
            evidence_retention: days(30),
            address_retention: days(90),
        }
    }
}

impl RetentionPolicy {
    /// Retention of snapshots, which contain addresses with their verdicts.
    pub const SNAPSHOT_RETENTION: Duration = days(30);

    /// Retention of the events of clients.
    pub const EVENT_RETENTION: Duration = days(30);

    /// Retention of the log of webhook deliveries.
    pub const DELIVERY_RETENTION: Duration = days(14);

    /// Retention of sandbox ledger rows, which are not billed.
    pub const SANDBOX_RETENTION: Duration = days(30);

    /// Retention of the counts of checks.
    pub const CHECK_COUNT_RETENTION: Duration = days(400);

    /// Returns the time before whose day the checks were opened whose counts are deleted at `now`.
    pub fn check_counts_before(now: Timestamp) -> Timestamp {
        now.saturating_sub(Self::CHECK_COUNT_RETENTION)
    }

    /// Returns the time before which the sandbox rows were written that are deleted at `now`.
    pub fn sandbox_rows_before(now: Timestamp) -> Timestamp {
        now.saturating_sub(Self::SANDBOX_RETENTION)
    }

    /// Returns the time before which the snapshots were created that are deleted at `now`.
    pub fn snapshots_before(now: Timestamp) -> Timestamp {
        now.saturating_sub(Self::SNAPSHOT_RETENTION)
    }

    /// Returns the time before which the events happened that are deleted at `now`.
    pub fn events_before(now: Timestamp) -> Timestamp {
        now.saturating_sub(Self::EVENT_RETENTION)
    }

    /// Returns the time before which the attempts were made whose records are deleted at `now`.
    pub fn deliveries_before(now: Timestamp) -> Timestamp {
        now.saturating_sub(Self::DELIVERY_RETENTION)
    }

    /// Returns the time before which the rows were written whose openings are deleted at `now`.
    pub fn openings_before(&self, now: Timestamp) -> Timestamp {
        now.saturating_sub(self.address_retention)
    }

    /// Returns the time before which the checks were opened whose conclusions are deleted at `now`.
    pub fn conclusions_before(now: Timestamp) -> Timestamp {
        now.saturating_sub(CONCLUSION_RETENTION)
    }

    /// Returns the time before which the checks were opened that have expired at `now`.
    pub fn expired_checks_before(now: Timestamp) -> Timestamp {
        now.saturating_sub(CHECK_TTL + COMPLETION_GRACE)
    }
}

/// Returns a number of days of 24 hours.
pub const fn days(count: u16) -> Duration {
    Duration::from_hours(24 * count as u64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::RECEIPT_TTL;

    #[test]
    fn conclusion_outlives_its_receipt() {
        let now = Timestamp::from_millis(1_795_255_200_000);
        let conclusions_before = RetentionPolicy::conclusions_before(now);
        assert!(conclusions_before < RetentionPolicy::expired_checks_before(now));
        assert!(conclusions_before < now.saturating_sub(CHECK_TTL + RECEIPT_TTL));
    }
}
