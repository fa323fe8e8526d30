//! Events of clients.

use crate::MemoryStore;
use crate::state::State;
use async_trait::async_trait;
use std::ops::Bound;
use voight_domain::events::{ClientEvent, EventFeed, NewEvent};
use voight_domain::ports::{EventStore, FeedOfClient, StoreError};
use voight_domain::vocabulary::{ClientId, Timestamp};

#[async_trait]
impl EventStore for MemoryStore {
    async fn events(
        &self,
        client: ClientId,
        after: u64,
        limit: usize,
    ) -> Result<Vec<ClientEvent>, StoreError> {
        let state = self.state()?;
        let events = state.client_events.get(&client);
        Ok(events
            .into_iter()
            .flat_map(|events| events.range((Bound::Excluded(after), Bound::Unbounded)))
            .take(limit)
            .map(|(_, event)| event.clone())
            .collect())
    }

    async fn event_feed(&self, client: ClientId) -> Result<EventFeed, StoreError> {
        let feed = self.state()?.event_feeds.get(&client).copied();
        Ok(feed.unwrap_or_default())
    }

    async fn recent_feeds(
        &self,
        since: Timestamp,
        after: Option<ClientId>,
        limit: usize,
    ) -> Result<Vec<FeedOfClient>, StoreError> {
        let first = after.map_or(Bound::Unbounded, Bound::Excluded);
        Ok(self
            .state()?
            .event_feeds
            .range((first, Bound::Unbounded))
            .filter(|(_, feed)| feed.last_at >= since)
            .take(limit)
            .map(|(client, feed)| FeedOfClient {
                client: *client,
                feed: *feed,
            })
            .collect())
    }

    async fn purge_events(&self, before: Timestamp, limit: usize) -> Result<usize, StoreError> {
        let mut state = self.state()?;
        let expired_events: Vec<_> = state
            .client_events
            .iter()
            .flat_map(|(client, events)| {
                events
                    .values()
                    .take_while(|event| event.at < before)
                    .map(|event| (*client, event.number))
            })
            .take(limit)
            .collect();
        for (client, number) in &expired_events {
            if let Some(events) = state.client_events.get_mut(client) {
                events.remove(number);
            }
            if let Some(feed) = state.event_feeds.get_mut(client) {
                feed.purged = *number;
            }
        }
        Ok(expired_events.len())
    }
}

impl State {
    /// Appends events to the feed of a client.
    pub(crate) fn append_client_events(
        &mut self,
        client: ClientId,
        events: impl IntoIterator<Item = NewEvent>,
        now: Timestamp,
    ) {
        for event in events {
            let feed = self.event_feeds.entry(client).or_default();
            let client_event = feed.append(event, now);
            self.client_events
                .entry(client)
                .or_default()
                .insert(client_event.number, client_event);
            self.wake_endpoints(client, now);
        }
    }
}
