//! Progress of the deliveries of an endpoint, and the decision after an attempt.

use super::{
    AttemptOutcome, DisabledReason, DueAttempt, FailureRun, MAX_RETRY_AFTER, RetrySchedule,
};
use crate::vocabulary::Timestamp;
use std::collections::BTreeMap;
use std::time::Duration;

/// Maximum number of pending events of an endpoint. While it is reached, the cursors do not advance: no event is lost, and
/// the state stays small.
pub const MAX_PENDING: usize = 1_000;
/// Time after which an attempt without an outcome is due again. It is longer than the timeout of a request.
pub const ATTEMPT_LEASE: Duration = Duration::from_mins(1);
/// Time after which an attempt that was not made is due again.
const POSTPONEMENT: Duration = Duration::from_secs(1);
/// Time by which a clock may go back without an attempt being repeated.
const CLOCK_TOLERANCE: Duration = Duration::from_mins(1);

/// Progress of the deliveries of an endpoint.
///
/// Every event of the feed is in one of three places: it is not before the cursor, it is pending, or its delivery has
/// ended, by a success or because it was given up. A store writes the state as a whole, so that a crash repeats attempts and
/// loses none. An unwritten state may be discarded at any time.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DeliveryState {
    /// The number of the next event of the client's feed.
    pub cursor: u64,
    /// The events that are sent again, apart from pending ones.
    pub replay: Option<ReplayRange>,
    /// Pending events by their number: an attempt is in progress, or is due at a time. At most [`MAX_PENDING`].
    pub pending: BTreeMap<u64, PendingDelivery>,
    /// Failures since the last success.
    pub failure_run: Option<FailureRun>,
}

/// Pending event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PendingDelivery {
    /// Number of failed attempts.
    pub failures: u8,
    /// The time of the next attempt.
    pub due_at: Timestamp,
    /// The time at which `due_at` was decided.
    pub decided_at: Timestamp,
}

/// Events that are sent again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReplayRange {
    /// The number of the next event.
    pub next: u64,
    /// The number after the last event.
    pub end: u64,
}

/// Decision after an attempt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeliveryStep {
    /// The new state.
    pub state: DeliveryState,
    /// The result for the event.
    pub delivery: DeliveryReport,
    /// The result for the endpoint, which becomes an event of the client's feed.
    pub endpoint: Option<EndpointReport>,
}

/// Result of an attempt for its event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DeliveryReport {
    /// The event is delivered.
    Delivered,
    /// The next attempt is due at this time.
    RetryAt(Timestamp),
    /// The last attempt has failed. The event can be replayed while it is in the feed.
    GivenUp,
    /// The attempt was repeated or its event replayed in the meantime, so its outcome changes nothing for the event.
    Superseded,
}

/// Result of an attempt for its endpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EndpointReport {
    /// Every attempt since this time has failed.
    Failing {
        /// The time of the first failure.
        since: Timestamp,
    },
    /// The endpoint is to be disabled.
    Disabled(DisabledReason),
}

impl DeliveryState {
    /// Creates the state of a new endpoint, whose first event has the number `cursor`.
    pub fn new(cursor: u64) -> Self {
        Self {
            cursor,
            ..Self::default()
        }
    }

    /// Returns `true` if another event can become pending.
    pub fn has_capacity(&self) -> bool {
        self.pending.len() < MAX_PENDING
    }

    /// Returns the time of the next attempt, for a feed whose last event is `newest`; `None` if there is nothing to send.
    ///
    /// Events of the feed are due at once, at `now`, unless the endpoint fails.
    pub fn next_due(&self, now: Timestamp, newest: u64) -> Option<Timestamp> {
        let has_unread_events = self.cursor <= newest || self.replay.is_some();
        let is_claimable = self.has_capacity() && has_unread_events;
        let unread_due = is_claimable.then(|| self.unread_due(now));
        let next_due = |entry: &PendingDelivery| {
            if entry.is_due(now) { now } else { entry.due_at }
        };
        let pending_due = self.pending.values().map(next_due);
        pending_due.chain(unread_due).min()
    }

    /// Returns the time from which events are sent for the first time: `now`, or the end of the pause of a failing endpoint.
    pub(super) fn unread_due(&self, now: Timestamp) -> Timestamp {
        // A clock that was set back does not lengthen the pause.
        let latest = now.saturating_add(MAX_RETRY_AFTER);
        match self.failure_run {
            Some(run) if run.paused_until <= latest => now.max(run.paused_until),
            Some(_) | None => now,
        }
    }

    /// Returns the state after a claimed attempt that was not made: the attempt is due again in a second.
    #[must_use]
    pub fn postpone(mut self, attempt: DueAttempt, now: Timestamp) -> Self {
        if let Some(entry) = self.pending.get_mut(&attempt.event)
            && entry.failures.checked_add(1) == Some(attempt.number)
        {
            *entry = PendingDelivery::after(entry.failures, POSTPONEMENT, now);
        }
        self
    }

    /// Returns the state of an endpoint that is resumed: former failures do not count any more.
    #[must_use]
    pub fn resume(self) -> Self {
        Self {
            failure_run: None,
            ..self
        }
    }

    /// Returns the state after the removal of the events before `first` from the feed, and the number of them that are given
    /// up: those that were pending, and those that the cursor had not reached.
    #[must_use]
    pub fn forget_before(mut self, first: u64) -> (Self, u64) {
        let kept_events = self.pending.split_off(&first);
        let pending_count = std::mem::replace(&mut self.pending, kept_events).len();
        let unread_count = first.saturating_sub(self.cursor);
        self.cursor = self.cursor.max(first);
        self.replay = self.replay.and_then(|range| range.from(first));
        let given_up =
            unread_count.saturating_add(u64::try_from(pending_count).unwrap_or(u64::MAX));
        (self, given_up)
    }
}

impl PendingDelivery {
    /// Creates the entry whose next attempt is due after `wait`.
    pub(super) fn after(failures: u8, wait: Duration, now: Timestamp) -> Self {
        Self {
            failures,
            due_at: now.saturating_add(wait),
            decided_at: now,
        }
    }

    /// Returns `true` if the next attempt is due, or if the clock was set back since that was decided.
    ///
    /// Without the second condition a clock that was set back would delay the attempt by the time of the correction.
    pub(super) fn is_due(&self, now: Timestamp) -> bool {
        now >= self.due_at || now < self.decided_at.saturating_sub(CLOCK_TOLERANCE)
    }
}

impl ReplayRange {
    /// Returns the range without the events before `first`; `None` if nothing remains.
    pub(super) fn from(self, first: u64) -> Option<Self> {
        let next = self.next.max(first);
        (next < self.end).then_some(Self { next, ..self })
    }
}

/// Decides what follows from the outcome of an attempt that ended at `now`.
///
/// `random` is a uniformly distributed number, for the jitter of the next attempt.
pub fn after_attempt(
    mut state: DeliveryState,
    attempt: DueAttempt,
    outcome: AttemptOutcome,
    now: Timestamp,
    random: u32,
) -> DeliveryStep {
    if outcome.is_success() {
        state.failure_run = None;
        let delivery = match state.pending.remove(&attempt.event) {
            Some(_) => DeliveryReport::Delivered,
            None => DeliveryReport::Superseded,
        };
        return DeliveryStep {
            state,
            delivery,
            endpoint: None,
        };
    }
    let delivery = schedule_retry(&mut state, attempt, outcome, now, random);
    let failure_run = FailureRun::after_failure(state.failure_run, outcome.retry_after(), now);
    let endpoint = report_endpoint(&failure_run, outcome);
    state.failure_run = Some(FailureRun {
        is_reported: failure_run.is_reported || endpoint.is_some(),
        ..failure_run
    });
    DeliveryStep {
        state,
        delivery,
        endpoint,
    }
}

/// Schedules the next attempt of an event, or gives it up.
fn schedule_retry(
    state: &mut DeliveryState,
    attempt: DueAttempt,
    outcome: AttemptOutcome,
    now: Timestamp,
    random: u32,
) -> DeliveryReport {
    let pending_entry = state.pending.get(&attempt.event);
    let current_attempt = pending_entry.and_then(|entry| entry.failures.checked_add(1));
    if current_attempt != Some(attempt.number) {
        return DeliveryReport::Superseded;
    }
    let Some(wait) = RetrySchedule::wait(attempt.number, outcome, random) else {
        state.pending.remove(&attempt.event);
        return DeliveryReport::GivenUp;
    };
    let entry = PendingDelivery::after(attempt.number, wait, now);
    state.pending.insert(attempt.event, entry);
    DeliveryReport::RetryAt(entry.due_at)
}

fn report_endpoint(failure_run: &FailureRun, outcome: AttemptOutcome) -> Option<EndpointReport> {
    if outcome.is_gone() {
        Some(EndpointReport::Disabled(DisabledReason::Gone))
    } else if failure_run.is_over() {
        Some(EndpointReport::Disabled(DisabledReason::Failing))
    } else if failure_run.is_due_for_report() {
        Some(EndpointReport::Failing {
            since: failure_run.since,
        })
    } else {
        None
    }
}

#[cfg(test)]
mod tests;
