//! Reads of the event feed.

use super::Ports;
use crate::events::{ClientEvent, EventTypeSet};
use crate::ports::{Clock, Store, StoreError};
use crate::vocabulary::{ClientId, Environment};
use std::sync::Arc;

/// Number of events that one read of the store returns.
const BATCH_SIZE: usize = 500;
/// Maximum number of events that one page scans, so that a filter that matches nothing ends.
pub(super) const MAX_SCANNED_EVENTS: usize = 5_000;

/// Request for a page of the feed.
#[derive(Debug, Clone, Copy)]
pub struct EventQuery {
    /// The client.
    pub client: ClientId,
    /// The environment of the API key: a sandbox key reads events of the sandbox only.
    pub environment: Environment,
    /// The number after which the page begins.
    pub after: u64,
    /// Types of the events.
    pub types: EventTypeSet,
    /// Maximum number of events of the page.
    pub limit: usize,
}

/// Page of the feed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventPage {
    /// The events, in order.
    pub events: Vec<ClientEvent>,
    /// The number after which the next page begins.
    pub next: u64,
    /// `true` if the feed has no later event.
    pub is_last: bool,
}

/// Error of a read of the feed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EventError {
    /// Events after the number were deleted. Nothing is skipped silently.
    #[error(
        "events up to number {purged} are deleted; continue after {purged}, and look up what you missed"
    )]
    Expired {
        /// The number of the last deleted event.
        purged: u64,
    },
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Reads the event feeds of clients.
#[derive(Clone)]
pub struct EventService {
    pub(super) store: Arc<dyn Store>,
    pub(super) clock: Arc<dyn Clock>,
}

impl EventService {
    pub(super) fn new(ports: &Ports) -> Self {
        Self {
            store: Arc::clone(&ports.store),
            clock: Arc::clone(&ports.clock),
        }
    }

    /// Returns a page of the feed.
    ///
    /// # Errors
    ///
    /// [`EventError::Expired`] if events after `after` were deleted before this read.
    pub async fn page(&self, query: EventQuery) -> Result<EventPage, EventError> {
        let feed = self.store.event_feed(query.client).await?;
        // A reader that begins gets what is stored.
        if query.after > 0 && feed.has_lost(query.after) {
            return Err(EventError::Expired {
                purged: feed.purged,
            });
        }
        let mut page = EventPage {
            events: Vec::new(),
            next: query.after,
            is_last: false,
        };
        let mut scanned_count = 0;
        while scanned_count < MAX_SCANNED_EVENTS {
            let events = self
                .store
                .events(query.client, page.next, BATCH_SIZE)
                .await?;
            let batch_count = events.len();
            for event in events {
                if page.events.len() == query.limit {
                    return Ok(page);
                }
                page.next = event.number;
                if query.includes(&event) {
                    page.events.push(event);
                }
            }
            scanned_count += batch_count;
            if batch_count < BATCH_SIZE {
                page.is_last = true;
                break;
            }
        }
        Ok(page)
    }

    /// Returns `true` if the feed of a client has an event after number `after`.
    pub async fn has_events_after(&self, client: ClientId, after: u64) -> Result<bool, StoreError> {
        Ok(self.store.event_feed(client).await?.last > after)
    }
}

impl EventQuery {
    fn includes(&self, event: &ClientEvent) -> bool {
        let event = &event.event;
        let is_readable = !self.environment.is_test() || event.environment.is_test();
        is_readable && self.types.contains(event.event_type)
    }
}
