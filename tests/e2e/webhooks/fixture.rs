//! Endpoints and requests that the domain signs.

use std::time::Duration;
use voight_domain::secrets::{Pepper, Secrets};
use voight_domain::vocabulary::{ClientId, EndpointId, Environment, Timestamp};
use voight_domain::webhooks::{
    Endpoint, EndpointState, EventFilter, SignatureKind, WebhookHeaders, WebhookId,
};

/// Id of the signed event.
pub(crate) const ID: &str = "01kanc5xt6f3vq0d9g8m2y7rwb";

/// Secrets of a service.
pub(crate) fn secrets() -> Secrets {
    Secrets::derive(&Pepper::from_bytes([7; 32]), 0)
}

/// Creates an endpoint, before any rotation.
pub(crate) fn endpoint(signature_kind: SignatureKind) -> Endpoint {
    Endpoint {
        id: EndpointId::from_bytes([1; 16]),
        client: ClientId::from_bytes([2; 16]),
        environment: Environment::Live,
        url: "https://receiver.example/".to_owned(),
        filter: EventFilter::default(),
        signature_kind,
        generation: 0,
        rotated_at: None,
        created_at: Timestamp::from_millis(0),
        state: EndpointState::Active,
    }
}

/// Returns the endpoint after a rotation an hour before `now`.
pub(crate) fn rotate(endpoint: Endpoint, now: Timestamp) -> Endpoint {
    Endpoint {
        generation: endpoint.generation + 1,
        rotated_at: Some(now.saturating_sub(Duration::from_hours(1))),
        ..endpoint
    }
}

/// Returns the headers of a request with this body.
pub(crate) fn sign(endpoint: &Endpoint, body: &str, now: Timestamp) -> WebhookHeaders {
    let id: WebhookId = ID.parse().expect("a webhook id");
    endpoint.sign(&secrets(), &id, body.as_bytes(), now)
}
