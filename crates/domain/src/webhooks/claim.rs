//! Choice of the attempts that a worker makes next.

use super::{ATTEMPT_LEASE, DeliveryState, DueAttempt, Endpoint, PendingDelivery};
use crate::events::ClientEvent;
use crate::vocabulary::Timestamp;

/// Minimum number of events that a store reads for a claim, so that an endpoint whose filter accepts few of them makes
/// progress.
pub const MIN_FEED_PAGE: usize = 100;

/// Part of a client's feed, read for one endpoint.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FeedPage {
    /// Numbers of the events that the filter of the endpoint accepts, ascending.
    pub accepted: Vec<u64>,
    /// The number after the last event that was read, or 0 if none was read. The other events before it are not sent.
    pub end: u64,
}

impl FeedPage {
    /// Creates the page of these events, which were read in order.
    pub fn new(endpoint: &Endpoint, events: &[ClientEvent]) -> Self {
        let accepted = events
            .iter()
            .filter(|event| endpoint.accepts(&event.event))
            .map(|event| event.number);
        Self {
            accepted: accepted.collect(),
            end: events.last().map_or(0, |event| event.number + 1),
        }
    }
}

/// Attempts to make, with the state in which their events are pending.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claim {
    /// The new state. An attempt without an outcome is due again after [`ATTEMPT_LEASE`].
    pub state: DeliveryState,
    /// The attempts.
    pub attempts: Vec<DueAttempt>,
}

impl DeliveryState {
    /// Returns at most `limit` attempts that are due at `now`: those of pending events, then those of events of the feed,
    /// then those of replayed events.
    ///
    /// `feed` was read from the cursor on, `replayed` from the beginning of the replayed range on; both may be empty. The
    /// attempts may run at the same time, and end in any order.
    pub fn claim(
        mut self,
        now: Timestamp,
        feed: &FeedPage,
        replayed: &FeedPage,
        limit: usize,
    ) -> Claim {
        let mut attempts = self.claim_pending(now, limit);
        self.cursor = self.claim_page(self.cursor, feed, now, limit, &mut attempts);
        if let Some(range) = self.replay {
            let page = FeedPage {
                accepted: events_before(range.end, &replayed.accepted),
                end: replayed.end.min(range.end),
            };
            let next = self.claim_page(range.next, &page, now, limit, &mut attempts);
            self.replay = range.from(next);
        }
        Claim {
            state: self,
            attempts,
        }
    }

    /// Claims pending events whose attempt is due, the longest overdue first.
    fn claim_pending(&mut self, now: Timestamp, limit: usize) -> Vec<DueAttempt> {
        let mut due_events: Vec<_> = self
            .pending
            .iter()
            .filter(|(_, entry)| entry.is_due(now))
            .map(|(event, entry)| (entry.due_at, *event))
            .collect();
        due_events.sort_unstable();
        due_events.truncate(limit);
        let mut attempts = Vec::with_capacity(due_events.len());
        for (_, event) in due_events {
            if let Some(entry) = self.pending.get_mut(&event) {
                *entry = PendingDelivery::after(entry.failures, ATTEMPT_LEASE, now);
                attempts.push(next_attempt(event, entry.failures));
            }
        }
        attempts
    }

    /// Claims the accepted events of a page, and returns the number of the next event.
    fn claim_page(
        &mut self,
        next: u64,
        page: &FeedPage,
        now: Timestamp,
        limit: usize,
        attempts: &mut Vec<DueAttempt>,
    ) -> u64 {
        for event in page.accepted.iter().copied().filter(|event| *event >= next) {
            if self.pending.contains_key(&event) {
                continue;
            }
            if attempts.len() >= limit || !self.has_capacity() {
                return event;
            }
            let entry = PendingDelivery::after(0, ATTEMPT_LEASE, now);
            self.pending.insert(event, entry);
            attempts.push(next_attempt(event, 0));
        }
        next.max(page.end)
    }
}

fn next_attempt(event: u64, failures: u8) -> DueAttempt {
    DueAttempt {
        event,
        number: failures.saturating_add(1),
    }
}

fn events_before(end: u64, events: &[u64]) -> Vec<u64> {
    events
        .iter()
        .copied()
        .filter(|event| *event < end)
        .collect()
}
