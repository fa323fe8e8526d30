//! Client with a receiver that a test scripts.

use crate::services::fixture::{Fixture, person};
use async_trait::async_trait;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use voight_domain::events::EventType;
use voight_domain::outbound::{OutboundPolicy, TargetUrl};
use voight_domain::ports::{Outbound, OutboundError, OutboundRequest, OutboundResponse};
use voight_domain::registry::KeyWithClient;
use voight_domain::services::{
    DeliveryService, EndpointOwner, EndpointService, NewEndpoint, Ports,
};
use voight_domain::vocabulary::{EndpointId, Environment};
use voight_domain::webhooks::{
    DeliveryLane, DeliveryRecord, DeliveryReport, EndpointChange, EndpointState, EventFilter,
    SignatureKind,
};
use voight_support::poll_now;

pub(super) const URL: &str = "https://receiver.example/hook";

pub(super) type Answer = Result<OutboundResponse, OutboundError>;

/// Receiver whose answers a test scripts. Without a script it answers 204.
#[derive(Default)]
pub(super) struct ScriptedReceiver {
    answers: Mutex<VecDeque<Answer>>,
    pub(super) requests: Mutex<Vec<OutboundRequest>>,
}

#[async_trait]
impl Outbound for ScriptedReceiver {
    fn max_calls(&self) -> usize {
        64
    }

    fn parse_target(&self, url: &str) -> Result<TargetUrl, OutboundError> {
        Ok(OutboundPolicy::default().parse_target(url)?)
    }

    async fn send(&self, request: &OutboundRequest) -> Answer {
        self.requests.lock().unwrap().push(request.clone());
        let answer = self.answers.lock().unwrap().pop_front();
        answer.unwrap_or_else(|| Ok(response(204, "")))
    }
}

pub(super) fn response(status: u16, body: &str) -> OutboundResponse {
    OutboundResponse {
        status,
        retry_after: None,
        body: body.as_bytes().to_vec(),
        is_truncated: false,
    }
}

/// Client with a receiver.
pub(super) struct Scene {
    pub(super) fixture: Fixture,
    pub(super) holder: KeyWithClient,
    pub(super) receiver: Arc<ScriptedReceiver>,
    pub(super) endpoints: EndpointService,
    pub(super) deliveries: DeliveryService,
}

impl Scene {
    pub(super) fn new() -> Self {
        let fixture = Fixture::new(person());
        let (holder, _) = fixture.context("acme");
        let receiver = Arc::new(ScriptedReceiver::default());
        let ports = Ports {
            outbound: receiver.clone(),
            ..fixture.ports.clone()
        };
        Self {
            endpoints: EndpointService::new(&ports),
            deliveries: DeliveryService::new(&ports),
            fixture,
            holder,
            receiver,
        }
    }

    pub(super) fn owner(&self) -> EndpointOwner {
        EndpointOwner {
            client: self.holder.client.id,
            environment: Some(Environment::Live),
        }
    }

    pub(super) fn new_endpoint(&self) -> NewEndpoint {
        NewEndpoint {
            client: self.holder.client.id,
            environment: Environment::Live,
            url: URL.to_owned(),
            filter: EventFilter::default(),
            signature_kind: SignatureKind::Hmac,
        }
    }

    pub(super) fn create(&self) -> EndpointId {
        let keyed_endpoint = poll_now(self.endpoints.create(self.new_endpoint())).unwrap();
        assert!(keyed_endpoint.receiver_key.starts_with("whsec_"));
        keyed_endpoint.record.endpoint.id
    }

    /// Appends an event to the feed.
    pub(super) fn register(&self, title: &str) {
        self.fixture.register(&self.holder, title);
    }

    pub(super) fn answer(&self, answers: impl IntoIterator<Item = Answer>) {
        self.receiver.answers.lock().unwrap().extend(answers);
    }

    /// Makes the attempts that are due, and returns their results.
    pub(super) fn deliver(&self) -> Vec<DeliveryReport> {
        let mut reports = Vec::new();
        for lane in DeliveryLane::ALL {
            for name in poll_now(self.deliveries.due_endpoints(lane, 100)).unwrap() {
                let Some(claimed) = poll_now(self.deliveries.claim(name, 8)).unwrap() else {
                    continue;
                };
                let attempts = claimed.attempts.iter().map(|(attempt, event)| {
                    let body = |_: &_, _, _: &_| b"{}".to_vec();
                    poll_now(
                        self.deliveries
                            .attempt(&claimed.endpoint, *attempt, event, body),
                    )
                });
                let results = attempts.collect();
                reports.extend(
                    poll_now(self.deliveries.conclude(name, claimed.lease, results)).unwrap(),
                );
            }
        }
        reports
    }

    pub(super) fn change(&self, id: EndpointId, change: EndpointChange) {
        poll_now(self.endpoints.change(self.owner(), id, vec![change])).unwrap();
    }

    pub(super) fn state(&self, id: EndpointId) -> EndpointState {
        let record = poll_now(self.endpoints.get(self.owner(), id)).unwrap();
        record.endpoint.state
    }

    pub(super) fn log(&self, id: EndpointId) -> Vec<DeliveryRecord> {
        let deliveries = poll_now(self.endpoints.deliveries(self.owner(), id, None, 100)).unwrap();
        deliveries
            .into_iter()
            .map(|delivery| delivery.record)
            .collect()
    }

    pub(super) fn request_count(&self) -> usize {
        self.receiver.requests.lock().unwrap().len()
    }

    /// Returns the types of the events in the feed.
    pub(super) fn event_types(&self) -> Vec<EventType> {
        let client = self.holder.client.id;
        let events = poll_now(self.fixture.ports.store.events(client, 0, 1_000)).unwrap();
        events
            .into_iter()
            .map(|event| event.event.event_type)
            .collect()
    }
}
