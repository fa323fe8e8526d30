//! Numbers of the events of a client.

use super::{ClientEvent, NewEvent};
use crate::vocabulary::Timestamp;

/// State of a client's feed, which a store keeps beside the events.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct EventFeed {
    /// Number of the last event; 0 before the first one.
    pub last: u64,
    /// The time of the last event.
    pub last_at: Timestamp,
    /// Number of the last event that the retention has deleted; 0 before the first deletion.
    pub purged: u64,
}

impl EventFeed {
    /// Assigns a number and a time to an event that is appended at `now`.
    ///
    /// A clock that moves back never reorders the feed: the time is at least that of the previous event.
    pub fn append(&mut self, event: NewEvent, now: Timestamp) -> ClientEvent {
        self.last += 1;
        self.last_at = if self.last == 1 {
            now
        } else {
            now.max(self.last_at)
        };
        ClientEvent {
            number: self.last,
            at: self.last_at,
            event,
        }
    }

    /// Returns `true` if events after number `after` were deleted before they could be read.
    pub const fn has_lost(&self, after: u64) -> bool {
        after < self.purged
    }
}

#[cfg(test)]
mod tests {
    use super::super::{EventSubject, EventType};
    use super::*;
    use crate::vocabulary::{Environment, KeyId};

    fn event() -> NewEvent {
        NewEvent {
            event_type: EventType::KeyIssued,
            environment: Environment::Live,
            subject: EventSubject::Key(KeyId::from_bytes([1; 16])),
        }
    }

    #[test]
    fn numbers_count_up_and_times_never_fall() {
        let mut feed = EventFeed::default();
        let times: Vec<_> = [-5, 7, 3, 9]
            .into_iter()
            .map(|millis| feed.append(event(), Timestamp::from_millis(millis)))
            .map(|event| (event.number, event.at.as_millis()))
            .collect();
        assert_eq!(times, [(1, -5), (2, 7), (3, 7), (4, 9)]);
    }

    #[test]
    fn reader_behind_the_retention_has_lost_events() {
        let feed = EventFeed {
            last: 9,
            purged: 4,
            ..EventFeed::default()
        };
        assert!(feed.has_lost(3));
        assert!(!feed.has_lost(4) && !feed.has_lost(9));
        assert!(!EventFeed::default().has_lost(0));
    }
}
