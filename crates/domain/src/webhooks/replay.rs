//! Replay of events that were sent before or given up.
//!
//! One event becomes pending at once. A replay since an event is a second cursor, so that its length costs no memory, and
//! new events are sent before old ones.

use super::{DeliveryState, MAX_PENDING, PendingDelivery, ReplayRange};
use crate::vocabulary::Timestamp;
use std::time::Duration;

/// Error of a replay.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ReplayError {
    /// The maximum number of events is pending.
    #[error(
        "{MAX_PENDING} events of this endpoint are pending; repeat the replay when some are delivered, or replay since a time"
    )]
    TooManyPending,
}

impl DeliveryState {
    /// Returns the state in which an event is sent again, at once.
    ///
    /// A pending event gets its next attempt now, and then all attempts of the schedule. An event that the cursor has not
    /// reached is sent anyway, so its replay changes nothing.
    pub fn replay_event(mut self, event: u64, now: Timestamp) -> Result<Self, ReplayError> {
        if event >= self.cursor {
            return Ok(self);
        }
        if !self.has_capacity() && !self.pending.contains_key(&event) {
            return Err(ReplayError::TooManyPending);
        }
        let entry = PendingDelivery::after(0, Duration::ZERO, now);
        self.pending.insert(event, entry);
        Ok(self)
    }

    /// Returns the state in which all events from `first` to the last one before the cursor are sent again.
    ///
    /// Pending events keep their attempts. A replay that is in progress is extended to both ranges.
    #[must_use]
    pub fn replay_from(mut self, first: u64) -> Self {
        let first = self.replay.map_or(first, |range| range.next.min(first));
        let range = ReplayRange {
            next: first,
            end: self.cursor,
        };
        self.replay = range.from(first);
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::webhooks::{AttemptOutcome, DeliveryReport, DueAttempt, FeedPage, after_attempt};

    fn now() -> Timestamp {
        Timestamp::from_millis(1_795_000_000_000)
    }

    /// Returns a state whose events 1 to 9 are delivered.
    fn delivered_state() -> DeliveryState {
        DeliveryState::new(10)
    }

    fn page(events: impl IntoIterator<Item = u64>, end: u64) -> FeedPage {
        FeedPage {
            accepted: events.into_iter().collect(),
            end,
        }
    }

    fn first_attempt(event: u64) -> DueAttempt {
        DueAttempt { event, number: 1 }
    }

    #[test]
    fn replayed_event_is_due_at_once() {
        let state = delivered_state().replay_event(3, now()).unwrap();
        assert_eq!(state.next_due(now(), 9), Some(now()));
        let none = FeedPage::default();
        let claim = state.claim(now(), &none, &none, 10);
        assert_eq!(claim.attempts, [first_attempt(3)]);
        assert_eq!(claim.state.cursor, 10);
    }

    #[test]
    fn replay_of_an_unsent_event_changes_nothing() {
        for event in [10, 11, u64::MAX] {
            let state = delivered_state().replay_event(event, now()).unwrap();
            assert_eq!(state, delivered_state());
        }
    }

    #[test]
    fn replay_of_one_event_is_bounded() {
        let mut state = DeliveryState::new(5_000);
        for event in 0..MAX_PENDING as u64 {
            state = state.replay_event(event, now()).unwrap();
        }
        let full = state.clone();
        assert_eq!(
            state.clone().replay_event(1_500, now()),
            Err(ReplayError::TooManyPending)
        );
        assert_eq!(state.replay_event(3, now()), Ok(full), "pending before");
    }

    #[test]
    fn replayed_pending_event_starts_its_schedule_again() {
        let state = delivered_state().replay_event(3, now()).unwrap();
        let none = FeedPage::default();
        let claim = state.claim(now(), &none, &none, 10);
        let failure = AttemptOutcome::Answered {
            status: 500,
            retry_after: None,
        };
        let step = after_attempt(claim.state, first_attempt(3), failure, now(), 0);
        let state = step.state.replay_event(3, now()).unwrap();
        let claim = state.claim(now(), &none, &none, 10);
        assert_eq!(claim.attempts, [first_attempt(3)]);
        let late_attempt = DueAttempt {
            event: 3,
            number: 2,
        };
        let step = after_attempt(claim.state, late_attempt, failure, now(), 0);
        assert_eq!(step.delivery, DeliveryReport::Superseded);
    }

    #[test]
    fn replay_since_follows_new_events() {
        let state = delivered_state().replay_from(7);
        let new_events = page(10..12, 12);
        let old_events = page([7, 9], 12);
        let claim = state.claim(now(), &new_events, &old_events, 3);
        assert_eq!(claim.attempts, [10, 11, 7].map(first_attempt));
        let range = ReplayRange { next: 9, end: 10 };
        assert_eq!(claim.state.replay, Some(range));
        assert_eq!(claim.state.next_due(now(), 11), Some(now()));
        let old_events = page([9, 10, 11], 12);
        let claim = claim
            .state
            .claim(now(), &FeedPage::default(), &old_events, 3);
        assert_eq!(claim.attempts, [first_attempt(9)]);
        assert_eq!(claim.state.replay, None);
    }

    #[test]
    fn replay_without_accepted_events_ends() {
        let state = delivered_state().replay_from(7);
        let claim = state.claim(now(), &FeedPage::default(), &page([], 10), 3);
        assert_eq!(claim.attempts, []);
        assert_eq!(claim.state, delivered_state());
        let empty = delivered_state().replay_from(10);
        assert_eq!(empty, delivered_state(), "nothing was sent since");
    }

    #[test]
    fn second_replay_extends_the_first() {
        let mut state = delivered_state().replay_from(7).replay_from(4);
        assert_eq!(state.replay, Some(ReplayRange { next: 4, end: 10 }));
        state.cursor = 20;
        let state = state.replay_from(15);
        assert_eq!(state.replay, Some(ReplayRange { next: 4, end: 20 }));
    }
}
