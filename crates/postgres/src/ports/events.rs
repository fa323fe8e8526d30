//! Events of clients.

use crate::PostgresStore;
use crate::common;
use crate::connection::Transaction;
use crate::error::Error;
use crate::sql::events;
use crate::value::{RowExt, Value, values};
use async_trait::async_trait;
use std::collections::BTreeSet;
use voight_domain::events::{ClientEvent, EventFeed};
use voight_domain::ports::{EventStore, FeedOfClient, StoreError};
use voight_domain::vocabulary::{ClientId, Timestamp};

#[async_trait]
impl EventStore for PostgresStore {
    async fn events(
        &self,
        client: ClientId,
        after: u64,
        limit: usize,
    ) -> Result<Vec<ClientEvent>, StoreError> {
        let page = values![client, after, limit];
        self.read(page, |transaction, page| {
            Box::pin(transaction.list(events::EVENTS, page.clone()))
        })
        .await
    }

    async fn event_feed(&self, client: ClientId) -> Result<EventFeed, StoreError> {
        let feed = self
            .read(client, |transaction, client| {
                Box::pin(transaction.fetch(events::EVENT_FEED, values![*client]))
            })
            .await?;
        Ok(feed.unwrap_or_default())
    }

    async fn recent_feeds(
        &self,
        since: Timestamp,
        after: Option<ClientId>,
        limit: usize,
    ) -> Result<Vec<FeedOfClient>, StoreError> {
        let previous_id = after
            .map(|client| client.to_bytes().to_vec())
            .unwrap_or_default();
        let page = values![previous_id, since, limit];
        self.read(page, |transaction, page| {
            Box::pin(recent_feeds(transaction, page))
        })
        .await
    }

    async fn purge_events(&self, before: Timestamp, limit: usize) -> Result<usize, StoreError> {
        let clients = self
            .read((before, limit), |transaction, (before, limit)| {
                Box::pin(clients_with_expired_events(transaction, *before, *limit))
            })
            .await?;
        let mut purged_events = 0;
        // One transaction per client, because each locks a feed.
        for client in clients {
            if purged_events >= limit {
                break;
            }
            let arguments = (client, before, limit - purged_events);
            let client_purge = self.write(arguments, |transaction, (client, before, limit)| {
                Box::pin(purge(transaction, *client, *before, *limit))
            });
            purged_events += client_purge.await?;
        }
        Ok(purged_events)
    }
}

async fn recent_feeds(
    transaction: &Transaction,
    page: &[Value],
) -> Result<Vec<FeedOfClient>, Error> {
    let rows = transaction
        .rows(events::RECENT_FEEDS, page.to_vec())
        .await?;
    let feeds = rows.iter().map(|row| {
        Ok(FeedOfClient {
            client: ClientId::from_bytes(row.byte_array(0)?),
            feed: row.record(1)?,
        })
    });
    feeds.collect()
}

/// Returns the clients of the `limit` oldest events that happened before `before`.
async fn clients_with_expired_events(
    transaction: &Transaction,
    before: Timestamp,
    limit: usize,
) -> Result<BTreeSet<ClientId>, Error> {
    let rows = transaction
        .rows(events::EXPIRED_EVENTS, values![before, limit])
        .await?;
    rows.iter()
        .map(|row| row.byte_array(0).map(ClientId::from_bytes))
        .collect()
}

/// Deletes at most `limit` of the oldest events of a client that happened before `before`; returns their number.
async fn purge(
    transaction: &Transaction,
    client: ClientId,
    before: Timestamp,
    limit: usize,
) -> Result<usize, Error> {
    let mut feed = common::lock_event_feed(transaction, client).await?;
    let rows = transaction
        .rows(events::FIRST_EVENTS, values![client, limit])
        .await?;
    let mut expired_events = 0;
    for row in &rows {
        if row.column::<i64>(1)? >= before.as_millis() {
            break;
        }
        feed.purged = row.number(0)?;
        expired_events += 1;
    }
    if expired_events > 0 {
        transaction.enqueue_write(events::PURGE_EVENTS, values![client, feed.purged]);
        common::put_event_feed(transaction, client, &feed);
    }
    Ok(expired_events)
}
