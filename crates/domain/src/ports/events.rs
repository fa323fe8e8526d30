//! Port of the events of clients.

use super::StoreError;
use crate::events::{ClientEvent, EventFeed};
use crate::vocabulary::{ClientId, Timestamp};
use async_trait::async_trait;

/// Feed of a client, with its state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FeedOfClient {
    /// The client.
    pub client: ClientId,
    /// The state of the feed.
    pub feed: EventFeed,
}

/// Reads and deletes the events of clients. No call of this port adds events: every other port appends the events of a
/// change in the transaction of the change, by the rules of [`events`](crate::events).
///
/// - `event_and_change_are_one`: an event exists if and only if its change does, also for a call that fails.
/// - `events_are_gapless`: numbers of a client run from 1 without gaps, under any concurrency, and times never decrease.
/// - `events_follow_the_rules`: each kind of change appends the event that its rule returns, and no other.
/// - `retried_change_has_one_event`: a repeated call that takes no effect appends no event.
#[async_trait]
pub trait EventStore: Send + Sync {
    /// Returns at most `limit` events of a client after number `after`, in order.
    ///
    /// - `events_are_paged_in_order`: the pages together hold every event of the client once.
    async fn events(
        &self,
        client: ClientId,
        after: u64,
        limit: usize,
    ) -> Result<Vec<ClientEvent>, StoreError>;

    /// Returns the state of a client's feed; the default for a client without events.
    async fn event_feed(&self, client: ClientId) -> Result<EventFeed, StoreError>;

    /// Returns at most `limit` feeds after the client `after`, in the order of the clients' ids, whose last event is not
    /// older than `since`.
    ///
    /// - `recent_feeds_are_listed`: the pages together hold every such feed once.
    async fn recent_feeds(
        &self,
        since: Timestamp,
        after: Option<ClientId>,
        limit: usize,
    ) -> Result<Vec<FeedOfClient>, StoreError>;

    /// Deletes at most `limit` events that happened before `before`, oldest of each client first; returns their number.
    ///
    /// - `old_events_are_purged`: exactly these events are deleted, [`EventFeed::purged`] is the last of them, and later
    ///   events keep their numbers.
    async fn purge_events(&self, before: Timestamp, limit: usize) -> Result<usize, StoreError>;
}
