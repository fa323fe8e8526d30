//! Webhook endpoints of clients.

use super::Ports;
use super::event_tail::find_position;
use crate::ports::{Clock, Entropy, NumberedDelivery, Outbound, OutboundError, Store, StoreError};
use crate::registry::{Actor, AuditAction, AuditEntry};
use crate::secrets::Secrets;
use crate::vocabulary::{ClientId, EndpointId, Environment, Timestamp};
use crate::webhooks::{
    AuditedChange, Endpoint, EndpointChange, EndpointCreation, EndpointError, EndpointName,
    EndpointRecord, EndpointState, EventFilter, MAX_ENDPOINTS, ReplayError, SignatureKind,
};
use std::fmt;
use std::sync::Arc;

/// Use cases of webhook endpoints. The API of a client and the operator are two callers.
#[derive(Clone)]
pub struct EndpointService {
    store: Arc<dyn Store>,
    clock: Arc<dyn Clock>,
    entropy: Arc<dyn Entropy>,
    outbound: Arc<dyn Outbound>,
    secrets: Secrets,
    actor: Actor,
}

/// Client and environment whose endpoints a caller may see and change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EndpointOwner {
    /// The client.
    pub client: ClientId,
    /// The environment; `None` for both, as an operator sees them.
    pub environment: Option<Environment>,
}

/// Request for an endpoint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewEndpoint {
    /// The client whose events are sent.
    pub client: ClientId,
    /// The environment whose events are sent.
    pub environment: Environment,
    /// URL of the receiver.
    pub url: String,
    /// Filter of the events.
    pub filter: EventFilter,
    /// Kind of the signatures.
    pub signature_kind: SignatureKind,
}

/// Endpoint with the key by which its receiver verifies signatures: `whsec_…`, or `whpk_…` of Ed25519.
#[derive(Clone, PartialEq, Eq)]
pub struct KeyedEndpoint {
    /// The record of the endpoint.
    pub record: EndpointRecord,
    /// The key of the receiver. That of HMAC is secret: it is shown after the creation and after a rotation only.
    pub receiver_key: String,
}

impl fmt::Debug for KeyedEndpoint {
    /// Omits the key, and the URL, which may contain a secret of the receiver.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KeyedEndpoint")
            .field("id", &self.record.endpoint.id)
            .finish_non_exhaustive()
    }
}

/// Error of a use case of endpoints.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EndpointServiceError {
    /// The endpoint does not exist, or is another client's or environment's.
    #[error("there is no such webhook endpoint; list the endpoints for their ids")]
    NotFound,
    /// The client has the maximum number of endpoints.
    #[error("a client has at most {MAX_ENDPOINTS} webhook endpoints; delete one that is not used")]
    TooMany,
    /// The operator has not enabled outbound connections, or the URL is not permitted.
    #[error(transparent)]
    Outbound(#[from] OutboundError),
    /// The endpoint is not valid.
    #[error(transparent)]
    Invalid(#[from] EndpointError),
    /// Too many events are pending.
    #[error(transparent)]
    Replay(#[from] ReplayError),
    /// The event does not exist, or is deleted.
    #[error("there is no event {0}; events are stored for 30 days")]
    UnknownEvent(u64),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl EndpointService {
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
            actor: Actor::Operator,
        }
    }

    /// Returns a service that names `actor` in audit entries.
    #[must_use]
    pub fn acting_as(&self, actor: &Actor) -> Self {
        Self {
            actor: actor.clone(),
            ..self.clone()
        }
    }

    /// Creates an endpoint. The first event that is sent is the next one of the client's feed.
    pub async fn create(
        &self,
        new_endpoint: NewEndpoint,
    ) -> Result<KeyedEndpoint, EndpointServiceError> {
        self.verify_url(&new_endpoint.url)?;
        new_endpoint.filter.verify()?;
        let now = self.clock.now();
        let endpoint = Endpoint {
            id: EndpointId::new(now, self.entropy.bytes()),
            client: new_endpoint.client,
            environment: new_endpoint.environment,
            url: new_endpoint.url,
            filter: new_endpoint.filter,
            signature_kind: new_endpoint.signature_kind,
            generation: 0,
            rotated_at: None,
            created_at: now,
            state: EndpointState::Active,
        };
        let environment = endpoint.environment.label();
        let detail = format!(
            "client {}, {environment}, {}",
            endpoint.client, endpoint.signature_kind
        );
        let audit = self.audit_entry(AuditAction::WebhookCreated, endpoint.id, detail);
        match self.store.create_endpoint(endpoint, audit).await? {
            EndpointCreation::Created(record) | EndpointCreation::Existing(record) => {
                Ok(self.with_key(record))
            }
            EndpointCreation::LimitReached => Err(EndpointServiceError::TooMany),
        }
    }

    /// Returns the endpoints of the owner, in the order of their creation.
    pub async fn list(&self, owner: EndpointOwner) -> Result<Vec<EndpointRecord>, StoreError> {
        let mut records = self.store.endpoints(owner.client).await?;
        records.retain(|record| owner.includes(&record.endpoint));
        Ok(records)
    }

    /// Returns an endpoint of the owner.
    pub async fn get(
        &self,
        owner: EndpointOwner,
        id: EndpointId,
    ) -> Result<EndpointRecord, EndpointServiceError> {
        let record = self.store.endpoint(owner.name(id)).await?;
        record
            .filter(|record| owner.includes(&record.endpoint))
            .ok_or(EndpointServiceError::NotFound)
    }

    /// Applies changes in order, all or none.
    pub async fn change(
        &self,
        owner: EndpointOwner,
        id: EndpointId,
        changes: Vec<EndpointChange>,
    ) -> Result<KeyedEndpoint, EndpointServiceError> {
        let record = self.get(owner, id).await?;
        for change in &changes {
            match change {
                EndpointChange::Url(url) => self.verify_url(url)?,
                EndpointChange::Filter(change) => change.verify()?,
                EndpointChange::ReplayEvent(event) => {
                    self.verify_event(&record.endpoint, *event).await?;
                }
                _ => {}
            }
        }
        let audited_changes = changes.into_iter().map(|change| {
            let (action, detail) = describe(&change);
            let audit = self.audit_entry(action, id, detail);
            AuditedChange { change, audit }
        });
        let audited_changes = audited_changes.collect();
        let outcome = self
            .store
            .change_endpoint(owner.name(id), audited_changes)
            .await?;
        let record = outcome.ok_or(EndpointServiceError::NotFound)??;
        Ok(self.with_key(record))
    }

    /// Deletes an endpoint with its log. Events that are not delivered yet are not sent.
    pub async fn delete(
        &self,
        owner: EndpointOwner,
        id: EndpointId,
    ) -> Result<(), EndpointServiceError> {
        self.get(owner, id).await?;
        let audit = self.audit_entry(AuditAction::WebhookDeleted, id, String::new());
        if self.store.delete_endpoint(owner.name(id), audit).await? {
            Ok(())
        } else {
            Err(EndpointServiceError::NotFound)
        }
    }

    /// Returns an endpoint of the owner for a test, which is written to the audit log.
    pub async fn begin_test(
        &self,
        owner: EndpointOwner,
        id: EndpointId,
    ) -> Result<Endpoint, EndpointServiceError> {
        let record = self.get(owner, id).await?;
        if let Err(error @ OutboundError::Disabled) =
            self.outbound.parse_target(&record.endpoint.url)
        {
            return Err(error.into());
        }
        let audit = self.audit_entry(AuditAction::WebhookTested, id, String::new());
        self.store.append_audit(audit).await?;
        Ok(record.endpoint)
    }

    /// Returns at most `limit` records of the log before number `before`, newest first.
    pub async fn deliveries(
        &self,
        owner: EndpointOwner,
        id: EndpointId,
        before: Option<u64>,
        limit: usize,
    ) -> Result<Vec<NumberedDelivery>, EndpointServiceError> {
        self.get(owner, id).await?;
        Ok(self.store.deliveries(owner.name(id), before, limit).await?)
    }

    /// Returns the number of the client's first event that did not happen before `since`; the number after the last event if
    /// there is none.
    pub async fn first_event_since(
        &self,
        client: ClientId,
        since: Timestamp,
    ) -> Result<u64, StoreError> {
        let feed = self.store.event_feed(client).await?;
        let last_before = find_position(self.store.as_ref(), client, feed, since).await?;
        Ok(last_before + 1)
    }

    fn audit_entry(&self, action: AuditAction, id: EndpointId, detail: String) -> AuditEntry {
        AuditEntry {
            at: self.clock.now(),
            actor: self.actor.clone(),
            action,
            subject: id.to_string(),
            detail,
        }
    }

    /// Passes if the event is stored, and of the environment of the endpoint: a key of the sandbox reads no live event.
    async fn verify_event(
        &self,
        endpoint: &Endpoint,
        number: u64,
    ) -> Result<(), EndpointServiceError> {
        let after = number.saturating_sub(1);
        let event = self.store.events(endpoint.client, after, 1).await?.pop();
        event
            .filter(|event| {
                event.number == number && event.event.environment == endpoint.environment
            })
            .map(drop)
            .ok_or(EndpointServiceError::UnknownEvent(number))
    }

    fn verify_url(&self, url: &str) -> Result<(), EndpointServiceError> {
        Endpoint::verify_url(url)?;
        self.outbound.parse_target(url)?;
        Ok(())
    }

    /// Returns an endpoint with the key of its receiver.
    pub fn with_key(&self, record: EndpointRecord) -> KeyedEndpoint {
        KeyedEndpoint {
            receiver_key: record.endpoint.receiver_key(&self.secrets),
            record,
        }
    }
}

/// Returns the audited action of a change and its description. A URL may contain a secret of the receiver, so the
/// description leaves it out.
fn describe(change: &EndpointChange) -> (AuditAction, String) {
    match change {
        EndpointChange::Url(_) => (AuditAction::WebhookChanged, "url".to_owned()),
        EndpointChange::Filter(_) => (AuditAction::WebhookChanged, "filter".to_owned()),
        EndpointChange::Pause => (AuditAction::WebhookChanged, "paused".to_owned()),
        EndpointChange::Resume => (AuditAction::WebhookChanged, "resumed".to_owned()),
        EndpointChange::Rotate => (AuditAction::WebhookRotated, String::new()),
        EndpointChange::ReplayEvent(event) => {
            (AuditAction::WebhookReplayed, format!("event {event}"))
        }
        EndpointChange::ReplayFrom(first) => {
            (AuditAction::WebhookReplayed, format!("from event {first}"))
        }
    }
}

impl EndpointOwner {
    const fn name(self, id: EndpointId) -> EndpointName {
        EndpointName {
            client: self.client,
            id,
        }
    }

    fn includes(self, endpoint: &Endpoint) -> bool {
        self.environment
            .is_none_or(|environment| environment == endpoint.environment)
    }
}
