//! Endpoints: the URLs to which events of a client are sent.

use super::EndpointName;
use crate::events::{EventSubject, EventType, EventTypeSet, NewEvent};
use crate::vocabulary::{ClientId, ContextId, EndpointId, Environment, Timestamp};
use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// Maximum number of endpoints of a client.
pub const MAX_ENDPOINTS: usize = 10;
/// Maximum length of a URL in characters.
pub const MAX_URL_LENGTH: usize = 2_000;
/// Maximum number of contexts in a filter.
pub const MAX_FILTER_CONTEXTS: usize = 100;
/// Time after a rotation in which requests also have a signature of the generation before.
pub const ROTATION_OVERLAP: Duration = Duration::from_hours(24);

/// Endpoint of a client.
///
/// No key of an endpoint is stored: keys are derived from the pepper, its id and its generation. Progress and failures of
/// deliveries are in [`DeliveryState`](super::DeliveryState).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Endpoint {
    /// Id of the endpoint.
    pub id: EndpointId,
    /// The client whose events are sent.
    pub client: ClientId,
    /// The environment whose events are sent.
    pub environment: Environment,
    /// URL of the receiver.
    pub url: String,
    /// Filter of the events.
    pub filter: EventFilter,
    /// Kind of the signatures, which never changes.
    pub signature_kind: SignatureKind,
    /// Number of rotations of the key.
    pub generation: u32,
    /// Time of the last rotation.
    pub rotated_at: Option<Timestamp>,
    /// Time of creation.
    pub created_at: Timestamp,
    /// State.
    pub state: EndpointState,
}

/// Filter of events.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct EventFilter {
    /// Types of the events.
    pub types: EventTypeSet,
    /// Contexts of the events; empty for all. Events of the account, such as invoices, have no context and pass an empty
    /// list only.
    pub contexts: BTreeSet<ContextId>,
}

/// Change of a filter. A list that is absent stays as it is.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FilterChange {
    /// New types of the events.
    pub types: Option<EventTypeSet>,
    /// New contexts of the events.
    pub contexts: Option<BTreeSet<ContextId>>,
}

/// Kind of the signatures of an endpoint. The names are stable: they are stored and shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SignatureKind {
    /// HMAC-SHA-256: the receiver has the same secret.
    #[default]
    Hmac,
    /// Ed25519: the receiver has the public key.
    Ed25519,
}

/// Error of a text that names no kind of signatures.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a kind of signatures; a kind is hmac or ed25519")]
pub struct SignatureKindError(String);

/// State of an endpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EndpointState {
    /// Events are sent.
    Active,
    /// Paused by the client or an operator. Its events are sent when it is resumed.
    Paused,
    /// Disabled by the service. Its events are sent when it is resumed.
    Disabled {
        /// The reason.
        reason: DisabledReason,
        /// The time.
        at: Timestamp,
    },
}

/// Reason why an endpoint was disabled. The names are stable: they are stored and shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum DisabledReason {
    /// The receiver has answered 410.
    Gone,
    /// Every attempt has failed for five days.
    Failing,
}

/// Error of a new or changed endpoint.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EndpointError {
    /// The URL is too long.
    #[error("the URL has {0} characters; a URL has at most {MAX_URL_LENGTH}")]
    UrlTooLong(usize),
    /// The filter has too many contexts.
    #[error(
        "the filter has {0} contexts; leave the contexts out for all of them, or name at most {MAX_FILTER_CONTEXTS}"
    )]
    TooManyContexts(usize),
}

impl Endpoint {
    /// Returns the name of the endpoint.
    pub const fn name(&self) -> EndpointName {
        EndpointName {
            client: self.client,
            id: self.id,
        }
    }

    /// Passes if a URL is short enough to be stored.
    pub fn verify_url(url: &str) -> Result<(), EndpointError> {
        let length = url.chars().count();
        if length > MAX_URL_LENGTH {
            return Err(EndpointError::UrlTooLong(length));
        }
        Ok(())
    }

    /// Returns `true` if events are sent.
    pub fn is_active(&self) -> bool {
        self.state == EndpointState::Active
    }

    /// Returns `true` if an event of the client is to be sent.
    pub fn accepts(&self, event: &NewEvent) -> bool {
        event.environment == self.environment && self.filter.accepts(event)
    }

    /// Returns the event of a change of the endpoint's state.
    pub(super) const fn event(&self, event_type: EventType) -> NewEvent {
        NewEvent {
            event_type,
            environment: self.environment,
            subject: EventSubject::Endpoint(self.id),
        }
    }

    /// Returns the generation whose signatures follow those of the current one at `now`.
    pub(super) fn overlapping_generation(&self, now: Timestamp) -> Option<u32> {
        let rotated_at = self.rotated_at?;
        let is_overlap = now.saturating_since(rotated_at) < ROTATION_OVERLAP;
        self.generation.checked_sub(1).filter(|_| is_overlap)
    }
}

impl EventFilter {
    /// Passes if the filter is small enough to be stored.
    pub fn verify(&self) -> Result<(), EndpointError> {
        verify_contexts(&self.contexts)
    }

    /// Returns the filter after a change.
    #[must_use]
    pub fn with_change(self, change: FilterChange) -> Self {
        Self {
            types: change.types.unwrap_or(self.types),
            contexts: change.contexts.unwrap_or(self.contexts),
        }
    }

    fn accepts(&self, event: &NewEvent) -> bool {
        let is_of_context = |id: &ContextId| self.contexts.contains(id);
        self.types.contains(event.event_type)
            && (self.contexts.is_empty() || event.context().is_some_and(is_of_context))
    }
}

impl FilterChange {
    /// Passes if the changed filter is small enough to be stored.
    pub fn verify(&self) -> Result<(), EndpointError> {
        self.contexts.as_ref().map_or(Ok(()), verify_contexts)
    }
}

fn verify_contexts(contexts: &BTreeSet<ContextId>) -> Result<(), EndpointError> {
    let context_count = contexts.len();
    if context_count > MAX_FILTER_CONTEXTS {
        return Err(EndpointError::TooManyContexts(context_count));
    }
    Ok(())
}

impl SignatureKind {
    /// All kinds.
    pub const ALL: [Self; 2] = [Self::Hmac, Self::Ed25519];

    /// Returns the kind as stored and shown.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Hmac => "hmac",
            Self::Ed25519 => "ed25519",
        }
    }
}

impl fmt::Display for SignatureKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for SignatureKind {
    type Err = SignatureKindError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .into_iter()
            .find(|kind| kind.as_str() == text)
            .ok_or_else(|| SignatureKindError(text.to_owned()))
    }
}

impl DisabledReason {
    /// All reasons.
    pub const ALL: [Self; 2] = [Self::Gone, Self::Failing];

    /// Returns the reason as stored and shown.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Gone => "gone",
            Self::Failing => "failing",
        }
    }
}

impl fmt::Display for DisabledReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests;
