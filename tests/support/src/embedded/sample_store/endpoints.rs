//! Webhook endpoint with a delivery log, which is due.

use crate::NOW;
use pollster::block_on;
use std::time::Duration;
use voight_domain::ports::EndpointStore;
use voight_domain::registry::AuditEntry;
use voight_domain::vocabulary::{ClientId, EndpointId, Environment};
use voight_domain::webhooks::{
    AttemptOutcome, ConcludedAttempt, DeliveryConclusion, DeliveryRecord, Endpoint, EndpointName,
    EndpointState, EventFilter, SignatureKind,
};

/// Maximum number of attempts of the claim.
const ATTEMPTS: usize = 2;

/// Creates the endpoint of a client, which receives the events that follow.
pub(super) fn create(
    store: &impl EndpointStore,
    client: ClientId,
    entry: AuditEntry,
) -> EndpointName {
    let endpoint = Endpoint {
        id: EndpointId::from_bytes(client.to_bytes()),
        client,
        environment: Environment::Live,
        url: "https://quest.example/events".to_owned(),
        filter: EventFilter::default(),
        signature_kind: SignatureKind::Hmac,
        generation: 0,
        rotated_at: None,
        created_at: NOW,
        state: EndpointState::Active,
    };
    let name = endpoint.name();
    block_on(store.create_endpoint(endpoint, entry)).unwrap();
    name
}

/// Claims attempts and logs that they failed.
pub(super) fn deliver(store: &impl EndpointStore, name: EndpointName) {
    let claim = block_on(store.claim_deliveries(name, ATTEMPTS))
        .unwrap()
        .unwrap();
    let attempts: Vec<_> = claim
        .attempts
        .into_iter()
        .map(|(attempt, _)| {
            let outcome = AttemptOutcome::Answered {
                status: 500,
                retry_after: None,
            };
            let duration = Duration::from_millis(80);
            ConcludedAttempt {
                record: DeliveryRecord::new(attempt, NOW, duration, outcome, b"try again"),
                random: 0,
            }
        })
        .collect();
    assert_eq!(attempts.len(), ATTEMPTS);
    let conclusion = DeliveryConclusion {
        lease: claim.lease,
        attempts,
        postponed: Vec::new(),
    };
    block_on(store.conclude_deliveries(name, conclusion)).unwrap();
}
