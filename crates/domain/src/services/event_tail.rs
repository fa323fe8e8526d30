//! Tail of the events of one client or of all clients, for operators.
//!
//! A tail reads in rounds. A round lists the feeds, and merges their events by time. The state of the rounds is pure:
//! [`merge`] has the positions, [`cursor`] the time window and the text of the cursors.

mod cursor;
mod merge;

pub use cursor::{TailCursor, TailCursorError};

use super::events::{EventService, MAX_SCANNED_EVENTS};
use crate::events::{ClientEvent, EventFeed, EventTypeSet, FeedPosition};
use crate::ports::{Clock, Store, StoreError};
use crate::vocabulary::{ClientId, ClientName, Timestamp};
use cursor::TailWindow;
use merge::{FeedMerge, MAX_READ_EVENTS, PositionSearch, RoundFeed};
use std::collections::HashMap;
use std::sync::Arc;

/// Maximum number of events of a page.
const MAX_PAGE_EVENTS: usize = 500;
/// Number of feeds that one read of the store lists.
const FEED_BATCH_SIZE: usize = 500;
/// Maximum number of names of clients in memory.
const MAX_NAMES: usize = 1_000;

/// Request for a tail.
#[derive(Debug, Clone, Copy)]
pub struct TailQuery {
    /// The client; `None` for all clients.
    pub client: Option<ClientId>,
    /// Types of the events.
    pub types: EventTypeSet,
    /// The first event.
    pub start: TailStart,
}

/// First event of a tail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TailStart {
    /// The last events of one client, of the types of the query: at most this number.
    Latest(usize),
    /// The first event at or after this time.
    Since(Timestamp),
    /// The first event after this cursor of an earlier tail of the same client, or of all clients.
    After(TailCursor),
}

/// Error of a tail that cannot start.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TailError {
    /// The cursor is that of another client, or of all clients.
    #[error("the cursor is not one of this stream; begin without a cursor")]
    OtherStream,
    /// The latest events of all clients were requested.
    #[error(
        "the latest events are those of one client; name a client, or a time since when events are read"
    )]
    LatestOfAll,
    /// Events after the cursor were deleted. Nothing is skipped silently.
    #[error("events up to number {purged} are deleted; begin again without a cursor")]
    Expired {
        /// The number of the last deleted event.
        purged: u64,
    },
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Page of a tail.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TailPage {
    /// The events. Events of a round are in the order of their times.
    pub events: Vec<TailEvent>,
    /// `true` if the page ends a round: the next page has later events only.
    pub is_last: bool,
    /// Cursor after the page, which has advanced over events of other types too.
    pub cursor: TailCursor,
}

/// Event of a tail.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TailEvent {
    /// Cursor after the event.
    pub cursor: TailCursor,
    /// The client.
    pub client: ClientId,
    /// The name of the client; `None` if the client does not exist.
    pub client_name: Option<ClientName>,
    /// The event.
    pub event: ClientEvent,
}

/// Feeds that a tail reads.
#[derive(Debug)]
enum TailScope {
    Client { client: ClientId, start: u64 },
    All(TailWindow),
}

/// Tail that a reader follows page by page.
pub struct EventTail {
    store: Arc<dyn Store>,
    clock: Arc<dyn Clock>,
    types: EventTypeSet,
    scope: TailScope,
    merge: FeedMerge,
    is_in_round: bool,
    /// The event that was taken last.
    last: Option<FeedPosition>,
    cursor: TailCursor,
    names: HashMap<ClientId, ClientName>,
}

impl EventService {
    /// Starts a tail. No event is read before the first page.
    ///
    /// # Errors
    ///
    /// - [`TailError::OtherStream`] for a cursor of another client, or of all clients.
    /// - [`TailError::LatestOfAll`] if no client is named.
    /// - [`TailError::Expired`] if events of the client after the cursor were deleted.
    pub async fn tail(&self, query: TailQuery) -> Result<EventTail, TailError> {
        let (scope, last) = match query.client {
            Some(client) => {
                let start = self.start_of_client(client, &query).await?;
                (TailScope::Client { client, start }, None)
            }
            None => start_of_all(query.start)?,
        };
        let cursor = match &scope {
            TailScope::Client { client, start } => TailCursor::Client(FeedPosition {
                client: *client,
                number: *start,
            }),
            TailScope::All(window) => TailCursor::All {
                since: window.start(),
                last,
            },
        };
        let mut merge = FeedMerge::default();
        // The client of the cursor continues at its position.
        let position = last.map(|position| RoundFeed {
            position,
            last: position.number,
        });
        merge.start_round(position.as_slice());
        Ok(EventTail {
            store: Arc::clone(&self.store),
            clock: Arc::clone(&self.clock),
            types: query.types,
            scope,
            merge,
            is_in_round: false,
            last,
            cursor,
            names: HashMap::new(),
        })
    }

    /// Returns the number after which the tail of one client begins.
    async fn start_of_client(&self, client: ClientId, query: &TailQuery) -> Result<u64, TailError> {
        let feed = self.store.event_feed(client).await?;
        match query.start {
            TailStart::Latest(count) => Ok(self.before_latest(client, feed, query, count).await?),
            TailStart::Since(since) if feed.last_at < since => Ok(feed.last),
            TailStart::Since(since) => {
                Ok(find_position(self.store.as_ref(), client, feed, since).await?)
            }
            TailStart::After(TailCursor::Client(position)) if position.client == client => {
                if feed.has_lost(position.number) {
                    return Err(TailError::Expired {
                        purged: feed.purged,
                    });
                }
                Ok(position.number)
            }
            TailStart::After(_) => Err(TailError::OtherStream),
        }
    }

    /// Returns the number before the last `count` events of the query's types, among the last events of the feed.
    async fn before_latest(
        &self,
        client: ClientId,
        feed: EventFeed,
        query: &TailQuery,
        count: usize,
    ) -> Result<u64, StoreError> {
        let mut start = feed.last;
        let mut missing_count = count;
        while missing_count > 0
            && start > feed.purged
            && feed.last - start < MAX_SCANNED_EVENTS as u64
        {
            let after = start
                .saturating_sub(MAX_READ_EVENTS as u64)
                .max(feed.purged);
            let events = self.store.events(client, after, MAX_READ_EVENTS).await?;
            for event in events.iter().rev().filter(|event| event.number <= start) {
                if query.types.contains(event.event.event_type) {
                    missing_count -= 1;
                }
                if missing_count == 0 {
                    return Ok(event.number - 1);
                }
            }
            start = after;
        }
        Ok(start)
    }
}

/// Returns the feeds of a tail of all clients, and the last event before its start.
fn start_of_all(start: TailStart) -> Result<(TailScope, Option<FeedPosition>), TailError> {
    let (since, last) = match start {
        TailStart::Since(since) => (since.max(Timestamp::from_millis(0)), None),
        TailStart::After(TailCursor::All { since, last }) => (since, last),
        TailStart::After(TailCursor::Client(_)) => return Err(TailError::OtherStream),
        TailStart::Latest(_) => return Err(TailError::LatestOfAll),
    };
    Ok((TailScope::All(TailWindow::new(since)), last))
}

/// Returns the number of a client's last event before `since`.
pub(super) async fn find_position(
    store: &dyn Store,
    client: ClientId,
    feed: EventFeed,
    since: Timestamp,
) -> Result<u64, StoreError> {
    let mut search = PositionSearch::new(&feed);
    while let Some(number) = search.probe() {
        let events = store.events(client, number - 1, 1).await?;
        let is_newer = events
            .first()
            .is_some_and(|event| event.number == number && event.at >= since);
        search.observe(number, !is_newer);
    }
    Ok(search.position())
}

impl EventTail {
    /// Returns the cursor before the first page, or after the last one.
    pub const fn cursor(&self) -> TailCursor {
        self.cursor
    }

    /// Returns the next page. It may be empty before the end of a round, if many events have other types.
    pub async fn next_page(&mut self) -> Result<TailPage, StoreError> {
        if !self.is_in_round {
            self.start_round().await?;
            self.is_in_round = true;
        }
        let mut events = Vec::new();
        let mut scanned_count = 0;
        while events.len() < MAX_PAGE_EVENTS && scanned_count < MAX_SCANNED_EVENTS {
            let Some((client, event)) = self.take_event().await? else {
                self.end_round();
                break;
            };
            scanned_count += 1;
            if self.types.contains(event.event.event_type) {
                events.push(TailEvent {
                    cursor: self.cursor,
                    client,
                    client_name: self.client_name(client).await?,
                    event,
                });
            }
        }
        Ok(TailPage {
            events,
            is_last: !self.is_in_round,
            cursor: self.cursor,
        })
    }

    /// Lists the feeds of a round.
    async fn start_round(&mut self) -> Result<(), StoreError> {
        let round_feeds = match &mut self.scope {
            TailScope::Client { client, start } => {
                let feed = self.store.event_feed(*client).await?;
                let number = self.merge.taken(*client).unwrap_or(*start);
                vec![RoundFeed {
                    position: FeedPosition {
                        client: *client,
                        number,
                    },
                    last: feed.last,
                }]
            }
            TailScope::All(window) => {
                let since = window.start();
                window.start_round(self.clock.now());
                self.list_feeds(since).await?
            }
        };
        self.merge.start_round(&round_feeds);
        Ok(())
    }

    /// Lists the feeds with an event at or after `since`, with their positions.
    async fn list_feeds(&self, since: Timestamp) -> Result<Vec<RoundFeed>, StoreError> {
        let store = self.store.as_ref();
        let mut round_feeds: Vec<RoundFeed> = Vec::new();
        loop {
            let after = round_feeds.last().map(|feed| feed.position.client);
            let feeds = store.recent_feeds(since, after, FEED_BATCH_SIZE).await?;
            let is_last = feeds.len() < FEED_BATCH_SIZE;
            for listed_feed in feeds {
                let client = listed_feed.client;
                let number = match self.merge.taken(client) {
                    Some(number) => number,
                    None => find_position(store, client, listed_feed.feed, since).await?,
                };
                round_feeds.push(RoundFeed {
                    position: FeedPosition { client, number },
                    last: listed_feed.feed.last,
                });
            }
            if is_last {
                return Ok(round_feeds);
            }
        }
    }

    /// Takes the next event of the round, and advances the cursor.
    async fn take_event(&mut self) -> Result<Option<(ClientId, ClientEvent)>, StoreError> {
        while let Some(read) = self.merge.next_read() {
            let position = read.position;
            let events = self
                .store
                .events(position.client, position.number, read.limit)
                .await?;
            self.merge.add_events(events);
        }
        let taken_event = self.merge.take_event();
        if let Some((client, event)) = &taken_event {
            let position = FeedPosition {
                client: *client,
                number: event.number,
            };
            self.last = Some(position);
            self.cursor = match &self.scope {
                TailScope::Client { .. } => TailCursor::Client(position),
                TailScope::All(window) => window.cursor(event.at, position),
            };
        }
        Ok(taken_event)
    }

    /// Ends a round. The events before the next window are read, so the cursor advances without an event.
    fn end_round(&mut self) {
        self.is_in_round = false;
        if let TailScope::All(window) = &self.scope {
            self.cursor = TailCursor::All {
                since: window.start(),
                last: self.last,
            };
        }
    }

    async fn client_name(&mut self, client: ClientId) -> Result<Option<ClientName>, StoreError> {
        if let Some(name) = self.names.get(&client) {
            return Ok(Some(name.clone()));
        }
        let name = self.store.client(client).await?.map(|client| client.name);
        if let Some(name) = &name {
            if self.names.len() == MAX_NAMES {
                self.names.clear();
            }
            self.names.insert(client, name.clone());
        }
        Ok(name)
    }
}
