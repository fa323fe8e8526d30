//! Endpoint and its changes for the tests of this module.

use super::{AuditedChange, Endpoint, EndpointChange, EndpointState, EventFilter, SignatureKind};
use crate::registry::{Actor, AuditAction, AuditEntry};
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

/// Returns a change whose audit entry has this detail.
pub(super) fn audited(change: EndpointChange, detail: &str) -> AuditedChange {
    AuditedChange {
        change,
        audit: AuditEntry {
            at: Timestamp::default(),
            actor: Actor::Operator,
            action: AuditAction::WebhookChanged,
            subject: String::new(),
            detail: detail.to_owned(),
        },
    }
}
