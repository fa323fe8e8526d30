//! Merges the feeds of clients by time.

use crate::events::{ClientEvent, EventFeed, FeedPosition};
use crate::vocabulary::{ClientId, Timestamp};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Maximum number of events that one read of the store returns.
pub(super) const MAX_READ_EVENTS: usize = 500;
/// Number of events in memory above which each feed has at most one.
const MAX_BUFFERED_EVENTS: usize = 4_000;

/// Merge of the feeds of a round, oldest event first. A round has the events that exist when the feeds are listed.
///
/// Memory: at most 4,000 events, or one of each listed feed if there are more feeds.
#[derive(Debug, Default)]
pub(super) struct FeedMerge {
    feeds: BTreeMap<ClientId, MergedFeed>,
    /// The first event of each feed that has one in memory.
    heads: BTreeSet<(Timestamp, ClientId)>,
    /// Feeds whose next event is not in memory.
    unread: Vec<ClientId>,
    /// Maximum number of events of a feed in memory.
    read_limit: usize,
}

/// Feed of a round.
#[derive(Debug)]
struct MergedFeed {
    /// The number of the last event that was taken.
    taken: u64,
    /// The number of the last event of the round.
    last: u64,
    /// Events after `taken`, in order.
    events: VecDeque<ClientEvent>,
}

/// Feed at the start of a round: the position after which it is read, and the number of its last event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct RoundFeed {
    pub(super) position: FeedPosition,
    pub(super) last: u64,
}

/// Read of the store that the merge needs: at most `limit` events of a feed after the position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct FeedRead {
    pub(super) position: FeedPosition,
    pub(super) limit: usize,
}

impl FeedMerge {
    /// Returns the number of the last event that was taken of a client's feed; `None` if the last round had no such feed.
    pub(super) fn taken(&self, client: ClientId) -> Option<u64> {
        self.feeds.get(&client).map(|feed| feed.taken)
    }

    /// Starts a round of these feeds, and forgets the others.
    pub(super) fn start_round(&mut self, round_feeds: &[RoundFeed]) {
        self.heads.clear();
        self.unread = round_feeds
            .iter()
            .filter(|feed| feed.position.number < feed.last)
            .map(|feed| feed.position.client)
            .collect();
        self.read_limit =
            (MAX_BUFFERED_EVENTS / self.unread.len().max(1)).clamp(1, MAX_READ_EVENTS);
        self.feeds = round_feeds
            .iter()
            .map(|RoundFeed { position, last }| {
                let feed = MergedFeed {
                    taken: position.number,
                    last: *last,
                    events: VecDeque::new(),
                };
                (position.client, feed)
            })
            .collect();
    }

    /// Returns the next read, whose events [`add_events`](Self::add_events) expects; `None` if an event can be taken.
    pub(super) fn next_read(&self) -> Option<FeedRead> {
        let client = *self.unread.last()?;
        let number = self.taken(client)?;
        Some(FeedRead {
            position: FeedPosition { client, number },
            limit: self.read_limit,
        })
    }

    /// Adds the events of the read that [`next_read`](Self::next_read) returned. A feed without further events is complete.
    pub(super) fn add_events(&mut self, events: Vec<ClientEvent>) {
        let Some(client) = self.unread.pop() else {
            return;
        };
        if let Some(feed) = self.feeds.get_mut(&client) {
            let last = feed.last;
            feed.events
                .extend(events.into_iter().filter(|event| event.number <= last));
            match feed.events.front() {
                Some(event) => {
                    self.heads.insert((event.at, client));
                }
                // Its remaining events were deleted after the feed was listed.
                None => feed.taken = last,
            }
        }
    }

    /// Takes the oldest event; `None` at the end of the round. Every feed has been read before.
    pub(super) fn take_event(&mut self) -> Option<(ClientId, ClientEvent)> {
        debug_assert!(self.unread.is_empty(), "a feed has to be read first");
        let (_, client) = self.heads.pop_first()?;
        let feed = self.feeds.get_mut(&client)?;
        let event = feed.events.pop_front()?;
        feed.taken = event.number;
        match feed.events.front() {
            Some(next_event) => {
                self.heads.insert((next_event.at, client));
            }
            None if feed.taken < feed.last => self.unread.push(client),
            None => {}
        }
        Some((client, event))
    }
}

/// Binary search for the position in a feed before its first event at or after a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct PositionSearch {
    /// Every event up to this number is older, or deleted.
    older: u64,
    /// No event after this number is older.
    newer: u64,
}

impl PositionSearch {
    /// Starts a search in a feed.
    pub(super) const fn new(feed: &EventFeed) -> Self {
        Self {
            older: feed.purged,
            newer: feed.last,
        }
    }

    /// Returns the number of the event whose time [`observe`](Self::observe) expects; `None` at the end of the search.
    pub(super) const fn probe(&self) -> Option<u64> {
        if self.older < self.newer {
            Some(self.older + (self.newer - self.older).div_ceil(2))
        } else {
            None
        }
    }

    /// Narrows the search: the event with this number is older than the time, or deleted.
    pub(super) const fn observe(&mut self, number: u64, is_older: bool) {
        if is_older {
            self.older = number;
        } else {
            self.newer = number - 1;
        }
    }

    /// Returns the number of the last older event.
    pub(super) const fn position(&self) -> u64 {
        self.older
    }
}

#[cfg(test)]
#[path = "merge/tests.rs"]
mod tests;
