//! Webhook endpoints and their deliveries.

use crate::MemoryStore;
use crate::state::State;
use async_trait::async_trait;
use std::ops::Bound;
use voight_domain::events::{ClientEvent, EventFeed};
use voight_domain::ports::{
    ClaimedDeliveries, EndpointOutcome, EndpointStore, NumberedDelivery, StoreError,
};
use voight_domain::registry::AuditEntry;
use voight_domain::vocabulary::{ClientId, EndpointId, Timestamp};
use voight_domain::webhooks::{
    AuditedChange, DeliveryConclusion, DeliveryLane, DeliveryReport, Endpoint, EndpointCreation,
    EndpointName, EndpointRecord, MAX_ENDPOINTS, MIN_FEED_PAGE,
};

#[async_trait]
impl EndpointStore for MemoryStore {
    async fn create_endpoint(
        &self,
        endpoint: Endpoint,
        audit: AuditEntry,
    ) -> Result<EndpointCreation, StoreError> {
        let mut state = self.state()?;
        let name = endpoint.name();
        if !state.clients.contains_key(&name.client) {
            return Err(StoreError::Conflict(format!(
                "there is no client {}",
                name.client
            )));
        }
        let stored = state.endpoints.get(&name).cloned();
        let count = state.endpoints_of(name.client).len();
        let feed = state.event_feed(name.client);
        let creation = EndpointRecord::creation(endpoint, stored, count, feed);
        if let EndpointCreation::Created(record) = &creation {
            state.endpoints.insert(name, record.clone());
            state.audit.push(audit);
        }
        Ok(creation)
    }

    async fn endpoint(&self, name: EndpointName) -> Result<Option<EndpointRecord>, StoreError> {
        Ok(self.state()?.endpoints.get(&name).cloned())
    }

    async fn endpoints(&self, client: ClientId) -> Result<Vec<EndpointRecord>, StoreError> {
        Ok(self.state()?.endpoints_of(client))
    }

    async fn change_endpoint(
        &self,
        name: EndpointName,
        changes: Vec<AuditedChange>,
    ) -> Result<Option<EndpointOutcome>, StoreError> {
        let mut state = self.state()?;
        let Some(record) = state.endpoints.get(&name).cloned() else {
            return Ok(None);
        };
        let feed = state.event_feed(name.client);
        let step = match record.with_changes(changes, feed, self.clock.now()) {
            Ok(step) => step,
            Err(error) => return Ok(Some(Err(error))),
        };
        state.endpoints.insert(name, step.record.clone());
        state.audit.extend(step.audit);
        Ok(Some(Ok(step.record)))
    }

    async fn delete_endpoint(
        &self,
        name: EndpointName,
        audit: AuditEntry,
    ) -> Result<bool, StoreError> {
        let mut state = self.state()?;
        if state.endpoints.remove(&name).is_none() {
            return Ok(false);
        }
        state.deliveries.remove(&name);
        state.audit.push(audit);
        Ok(true)
    }

    async fn due_endpoints(
        &self,
        lane: DeliveryLane,
        limit: usize,
    ) -> Result<Vec<EndpointName>, StoreError> {
        let [due_until, wrong_after] = DeliveryLane::due_bounds(self.clock.now());
        let state = self.state()?;
        let mut due_endpoints: Vec<_> = state
            .endpoints
            .iter()
            .filter(|(_, record)| record.lane() == lane)
            .filter_map(|(name, record)| record.due_at.map(|due_at| (due_at, *name)))
            .filter(|(due_at, _)| *due_at <= due_until || *due_at > wrong_after)
            .collect();
        due_endpoints.sort_unstable();
        due_endpoints.truncate(limit);
        Ok(due_endpoints.into_iter().map(|(_, name)| name).collect())
    }

    async fn claim_deliveries(
        &self,
        name: EndpointName,
        limit: usize,
    ) -> Result<Option<ClaimedDeliveries>, StoreError> {
        let mut state = self.state()?;
        let Some(record) = state.endpoints.get(&name) else {
            return Ok(None);
        };
        let feed = state.event_feed(name.client);
        let page_size = limit.max(MIN_FEED_PAGE);
        let unread = state.events_from(name.client, record.delivery.cursor, page_size);
        let replayed = match record.delivery.replay {
            Some(range) => state.events_from(name.client, range.next, page_size),
            None => Vec::new(),
        };
        let now = self.clock.now();
        let claim = record.clone().claim(feed, &unread, &replayed, limit, now);
        let Some(claim) = claim else {
            return Ok(None);
        };
        let events = claim.attempts.iter().filter_map(|attempt| {
            let event = state.client_events.get(&name.client)?.get(&attempt.event)?;
            Some((attempt.event, event.clone()))
        });
        let events = events.collect();
        state.endpoints.insert(name, claim.record.clone());
        Ok(Some(ClaimedDeliveries::new(claim, events)))
    }

    async fn conclude_deliveries(
        &self,
        name: EndpointName,
        conclusion: DeliveryConclusion,
    ) -> Result<Option<Vec<DeliveryReport>>, StoreError> {
        let mut state = self.state()?;
        let Some(record) = state.endpoints.get(&name).cloned() else {
            return Ok(None);
        };
        let now = self.clock.now();
        let step = record.conclude(conclusion, state.event_feed(name.client), now);
        state.endpoints.insert(name, step.record);
        let log = state.deliveries.entry(name).or_default();
        log.extend(step.new_records);
        for number in step.removed_records {
            log.remove(&number);
        }
        state.append_client_events(name.client, step.events, now);
        Ok(Some(step.reports))
    }

    async fn deliveries(
        &self,
        name: EndpointName,
        before: Option<u64>,
        limit: usize,
    ) -> Result<Vec<NumberedDelivery>, StoreError> {
        let state = self.state()?;
        let end = before.map_or(Bound::Unbounded, Bound::Excluded);
        let log = state.deliveries.get(&name).into_iter();
        Ok(log
            .flat_map(|log| log.range((Bound::Unbounded, end)).rev())
            .take(limit)
            .map(|(number, record)| NumberedDelivery {
                number: *number,
                record: record.clone(),
            })
            .collect())
    }

    async fn purge_deliveries(&self, before: Timestamp, limit: usize) -> Result<usize, StoreError> {
        let mut state = self.state()?;
        let State {
            endpoints,
            deliveries,
            ..
        } = &mut *state;
        let mut purged_records = 0;
        for (name, log) in deliveries {
            while purged_records < limit
                && let Some(oldest) = log.first_entry()
                && oldest.get().at < before
            {
                if let Some(record) = endpoints.get_mut(name) {
                    record.log.purge(*oldest.key());
                }
                oldest.remove();
                purged_records += 1;
            }
        }
        Ok(purged_records)
    }
}

impl State {
    fn event_feed(&self, client: ClientId) -> EventFeed {
        self.event_feeds.get(&client).copied().unwrap_or_default()
    }

    fn endpoints_of(&self, client: ClientId) -> Vec<EndpointRecord> {
        let first = EndpointName {
            client,
            id: EndpointId::from_bytes([0; 16]),
        };
        let records = self.endpoints.range(first..);
        records
            .take_while(|(name, _)| name.client == client)
            .take(MAX_ENDPOINTS)
            .map(|(_, record)| record.clone())
            .collect()
    }

    /// Returns at most `limit` events of a client from number `first` on.
    fn events_from(&self, client: ClientId, first: u64, limit: usize) -> Vec<ClientEvent> {
        let events = self.client_events.get(&client).into_iter();
        events
            .flat_map(|events| events.range(first..))
            .take(limit)
            .map(|(_, event)| event.clone())
            .collect()
    }

    /// Makes the endpoints of a client due, because an event was appended to its feed.
    pub(super) fn wake_endpoints(&mut self, client: ClientId, now: Timestamp) {
        for record in self.endpoints_of(client) {
            if let Some(record) = record.after_event(now) {
                self.endpoints.insert(record.endpoint.name(), record);
            }
        }
    }
}
