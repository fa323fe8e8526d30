//! Endpoint for the tests of this module.

use super::{Endpoint, EndpointState, EventFilter, SignatureKind};
use crate::vocabulary::{ClientId, EndpointId, Environment, Timestamp};

/// Returns an active endpoint that was created at this time.
pub(super) fn endpoint(created_at: Timestamp) -> Endpoint {
    Endpoint {
        id: EndpointId::from_bytes([1; 16]),
        client: ClientId::from_bytes([2; 16]),
        environment: Environment::Live,
        url: "https://receiver.example/hook".to_owned(),
        filter: EventFilter::default(),
        signature_kind: SignatureKind::Hmac,
        generation: 0,
        rotated_at: None,
        created_at,
        state: EndpointState::Active,
    }
}
