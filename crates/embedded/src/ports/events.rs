//! Events of clients.

use crate::EmbeddedStore;
use crate::common;
use crate::read_records::ReadRecords;
use crate::table::{self, ClientNumber, KeyRange, tail};
use crate::write_transaction::WriteTransaction;
use async_trait::async_trait;
use voight_domain::events::{ClientEvent, EventFeed};
use voight_domain::ports::{EventStore, FeedOfClient, StoreError};
use voight_domain::vocabulary::{ClientId, Timestamp};
use voight_engine::{Engine, Order};

#[async_trait]
impl<E: Engine> EventStore for EmbeddedStore<E> {
    async fn events(
        &self,
        client: ClientId,
        after: u64,
        limit: usize,
    ) -> Result<Vec<ClientEvent>, StoreError> {
        self.main.read(|view| {
            let Some(client_number) = common::client_number(view, client)? else {
                return Ok(Vec::new());
            };
            let page = table::client_events(client_number)
                .starting_after(table::client_event(client_number, after));
            view.list(&page, limit)
        })
    }

    async fn event_feed(&self, client: ClientId) -> Result<EventFeed, StoreError> {
        self.main
            .read(|view| match common::client_number(view, client)? {
                Some(client_number) => common::event_feed(view, client_number),
                None => Ok(EventFeed::default()),
            })
    }

    async fn recent_feeds(
        &self,
        since: Timestamp,
        after: Option<ClientId>,
        limit: usize,
    ) -> Result<Vec<FeedOfClient>, StoreError> {
        self.main.read(|view| {
            let page = KeyRange::all().after_any(after.map(table::client));
            let clients = view.collect(&page, Order::Ascending, usize::MAX, |_, record| {
                (record.client.id, record.client_number)
            })?;
            let mut feeds = Vec::new();
            for (client, client_number) in clients {
                if feeds.len() == limit {
                    break;
                }
                let feed = common::event_feed(view, client_number)?;
                if feed.last > 0 && feed.last_at >= since {
                    feeds.push(FeedOfClient { client, feed });
                }
            }
            Ok(feeds)
        })
    }

    async fn purge_events(&self, before: Timestamp, limit: usize) -> Result<usize, StoreError> {
        let expired_feeds = self
            .main
            .read(|view| feeds_with_expired_events(view, before, limit))?;
        if expired_feeds.is_empty() {
            return Ok(0);
        }
        self.main
            .write(move |transaction| purge_in(transaction, &expired_feeds, before, limit))
            .await
    }
}

/// Returns at most `limit` clients whose oldest event happened before `before`.
fn feeds_with_expired_events(
    view: &impl ReadRecords,
    before: Timestamp,
    limit: usize,
) -> Result<Vec<ClientNumber>, StoreError> {
    let feeds = view.collect(
        &KeyRange::<EventFeed>::all(),
        Order::Ascending,
        usize::MAX,
        |key, feed| (tail(key).map(u32::from_be_bytes), feed),
    )?;
    let mut expired_feeds = Vec::new();
    for (client_number, feed) in feeds {
        let Some(client_number) = client_number.map(ClientNumber) else {
            continue;
        };
        if feed.purged == feed.last {
            continue;
        }
        let oldest_event = view.fetch(&table::client_event(client_number, feed.purged + 1))?;
        if oldest_event.is_some_and(|event| event.at < before) {
            expired_feeds.push(client_number);
        }
        if expired_feeds.len() == limit {
            break;
        }
    }
    Ok(expired_feeds)
}

fn purge_in(
    transaction: &mut WriteTransaction<'_>,
    expired_feeds: &[ClientNumber],
    before: Timestamp,
    limit: usize,
) -> Result<usize, StoreError> {
    let mut count = 0;
    for client_number in expired_feeds {
        if count == limit {
            break;
        }
        let mut feed = common::event_feed(transaction, *client_number)?;
        let events = transaction.list(&table::client_events(*client_number), limit - count)?;
        for event in events.iter().take_while(|event| event.at < before) {
            transaction.remove(table::client_event(*client_number, event.number));
            feed.purged = event.number;
            count += 1;
        }
        transaction.put(table::event_feed(*client_number), &feed);
    }
    Ok(count)
}
