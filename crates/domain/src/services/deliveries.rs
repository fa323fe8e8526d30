//! Deliveries of events to webhook endpoints.

use super::Ports;
use crate::events::{ClientEvent, EventSubject, EventType, NewEvent};
use crate::outbound::TargetError;
use crate::ports::{
    ClaimedDeliveries, Clock, Entropy, Outbound, OutboundError, OutboundMethod, OutboundRequest,
    OutboundResponse, Store, StoreError,
};
use crate::secrets::Secrets;
use crate::vocabulary::{ClientId, Timestamp};
use crate::webhooks::{
    AttemptOutcome, ConcludedAttempt, DeliveryConclusion, DeliveryLane, DeliveryRecord,
    DeliveryReport, DueAttempt, Endpoint, EndpointName, MAX_RESPONSE_BYTES, WebhookId,
};
use std::sync::Arc;

/// Returns the body of a request with this id: the event as JSON.
pub type EncodeEvent = fn(&WebhookId, ClientId, &ClientEvent) -> Vec<u8>;

/// Use cases of deliveries.
#[derive(Clone)]
pub struct DeliveryService {
    store: Arc<dyn Store>,
    clock: Arc<dyn Clock>,
    entropy: Arc<dyn Entropy>,
    outbound: Arc<dyn Outbound>,
    secrets: Secrets,
}

/// Result of one attempt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AttemptResult {
    /// The attempt was made.
    Made(ConcludedAttempt),
    /// The attempt was not made, because the service has no capacity for it, or was abandoned, because the service stops.
    Postponed(DueAttempt),
}

impl DeliveryService {
    /// Creates the service with these ports.
    pub fn new(ports: &Ports) -> Self {
        let Ports {
            store,
            clock,
            entropy,
            outbound,
            secrets,
            ..
        } = ports.clone();
        Self {
            store,
            clock,
            entropy,
            outbound,
            secrets,
        }
    }

    /// Returns the maximum number of attempts at the same time; 0 if the operator has not enabled outbound connections.
    pub fn max_attempts(&self) -> usize {
        self.outbound.max_calls()
    }

    /// Acquires or renews the leader lease; returns `true` if this node delivers.
    pub async fn try_acquire_lease(&self) -> Result<bool, StoreError> {
        self.store.try_acquire_lease().await
    }

    /// Returns at most `limit` endpoints of a lane whose deliveries are due.
    pub async fn due_endpoints(
        &self,
        lane: DeliveryLane,
        limit: usize,
    ) -> Result<Vec<EndpointName>, StoreError> {
        self.store.due_endpoints(lane, limit).await
    }

    /// Claims at most `limit` attempts of an endpoint; `None` if nothing is to be sent.
    pub async fn claim(
        &self,
        name: EndpointName,
        limit: usize,
    ) -> Result<Option<ClaimedDeliveries>, StoreError> {
        self.store.claim_deliveries(name, limit).await
    }

    /// Sends an event, and returns what followed.
    pub async fn attempt(
        &self,
        endpoint: &Endpoint,
        attempt: DueAttempt,
        event: &ClientEvent,
        encode: EncodeEvent,
    ) -> AttemptResult {
        let id = WebhookId::for_event(endpoint.client, event.number);
        let body = encode(&id, endpoint.client, event);
        self.send(endpoint, attempt, &id, body).await
    }

    /// Sends a test to an endpoint, which is logged and changes no schedule.
    pub async fn test(
        &self,
        endpoint: &Endpoint,
        encode: EncodeEvent,
    ) -> Result<DeliveryRecord, TestError> {
        let now = self.clock.now();
        let event = test_event(endpoint, now);
        let attempt = DueAttempt {
            event: event.number,
            number: 1,
        };
        // Receivers recognise a repetition by its id, so that of a test is new each time.
        let id = WebhookId::for_test(self.entropy.bytes());
        let body = encode(&id, endpoint.client, &event);
        match self.send(endpoint, attempt, &id, body).await {
            AttemptResult::Postponed(_) => Err(TestError::Busy),
            AttemptResult::Made(concluded_attempt) => {
                let record = concluded_attempt.record.clone();
                self.conclude(
                    endpoint.name(),
                    None,
                    vec![AttemptResult::Made(concluded_attempt)],
                )
                .await?;
                Ok(record)
            }
        }
    }

    /// Concludes the attempts of a claim with this lease.
    pub async fn conclude(
        &self,
        name: EndpointName,
        lease: Option<Timestamp>,
        results: Vec<AttemptResult>,
    ) -> Result<Vec<DeliveryReport>, StoreError> {
        let mut conclusion = DeliveryConclusion {
            lease,
            ..DeliveryConclusion::default()
        };
        for result in results {
            match result {
                AttemptResult::Made(attempt) => conclusion.attempts.push(attempt),
                AttemptResult::Postponed(attempt) => conclusion.postponed.push(attempt),
            }
        }
        let reports = self.store.conclude_deliveries(name, conclusion).await?;
        Ok(reports.unwrap_or_default())
    }

    async fn send(
        &self,
        endpoint: &Endpoint,
        attempt: DueAttempt,
        id: &WebhookId,
        body: Vec<u8>,
    ) -> AttemptResult {
        let begin = self.clock.now();
        let response = self.call(endpoint, id, body, begin).await;
        let end = self.clock.now();
        let Some(outcome) = AttemptOutcome::from_result(&response, end) else {
            return AttemptResult::Postponed(attempt);
        };
        let duration = end.saturating_since(begin);
        let text = match &response {
            Ok(response) => response.body.clone(),
            Err(error) => describe(error).into_bytes(),
        };
        AttemptResult::Made(ConcludedAttempt {
            record: DeliveryRecord::new(attempt, begin, duration, outcome, &text),
            random: u32::from_be_bytes(self.entropy.bytes()),
        })
    }

    async fn call(
        &self,
        endpoint: &Endpoint,
        id: &WebhookId,
        body: Vec<u8>,
        now: Timestamp,
    ) -> Result<OutboundResponse, OutboundError> {
        let signed_headers = endpoint.sign(&self.secrets, id, &body, now);
        let mut headers = vec![("content-type".to_owned(), "application/json".to_owned())];
        let entries = signed_headers.entries();
        headers.extend(entries.map(|(name, value)| (name.to_owned(), value.to_owned())));
        let request = OutboundRequest {
            method: OutboundMethod::Post,
            target: self.outbound.parse_target(&endpoint.url)?,
            headers,
            body: body.into(),
            max_response_bytes: MAX_RESPONSE_BYTES,
        };
        self.outbound.send(&request).await
    }
}

/// Returns the text of an error for a platform, which must not learn names or addresses of the operator's network.
fn describe(error: &OutboundError) -> String {
    match error {
        OutboundError::Resolve(_)
        | OutboundError::Target(TargetError::Blocked(_) | TargetError::NoAddress) => {
            "the host of the URL has no address on the internet; correct the name, or its entry in DNS"
                .to_owned()
        }
        OutboundError::Proxy(_) => {
            "the proxy of the operator did not connect; ask the operator".to_owned()
        }
        other_error => other_error.to_string(),
    }
}

/// Error of a test.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TestError {
    /// The service has no capacity for the test.
    #[error("too many calls are under way, in all or to this host; repeat the test later")]
    Busy,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Returns the event of a test, which is in no feed.
const fn test_event(endpoint: &Endpoint, now: Timestamp) -> ClientEvent {
    ClientEvent {
        number: 0,
        at: now,
        event: NewEvent {
            event_type: EventType::EndpointTest,
            environment: endpoint.environment,
            subject: EventSubject::Endpoint(endpoint.id),
        },
    }
}
