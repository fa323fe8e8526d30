//! Endpoints: the URLs to which events of a client are sent.

use crate::vocabulary::{ClientId, ContextId, EndpointId, Environment, Timestamp};
use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// Maximum number of endpoints of a client.
pub const MAX_ENDPOINTS: usize = 10;
/// Maximum length of a URL in characters.
pub const MAX_URL_LENGTH: usize = 2_000;
/// Maximum number of types in a filter.
pub const MAX_FILTER_TYPES: usize = 50;
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

/// Endpoint to create.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewEndpoint {
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
    /// Kind of the signatures.
    pub signature_kind: SignatureKind,
}

/// Filter of events. An empty list accepts everything.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct EventFilter {
    /// Types of the events.
    pub types: BTreeSet<String>,
    /// Contexts of the events. Events of the account, such as invoices, have no context and pass an empty list only.
    pub contexts: BTreeSet<ContextId>,
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

/// Change of an endpoint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EndpointChange {
    /// Replaces the URL.
    Url(String),
    /// Replaces the filter.
    Filter(EventFilter),
    /// Replaces the key at this time. For [`ROTATION_OVERLAP`] requests also have a signature by the former key.
    Rotate(Timestamp),
    /// Pauses an active endpoint.
    Pause,
    /// Activates a paused or disabled endpoint.
    Resume,
    /// Disables an active endpoint.
    Disable {
        /// The reason.
        reason: DisabledReason,
        /// The time.
        at: Timestamp,
    },
}

/// Error of a new or changed endpoint.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EndpointError {
    /// The client has the maximum number of endpoints.
    #[error("a client has at most {MAX_ENDPOINTS} endpoints; delete one that is not used")]
    TooManyEndpoints,
    /// The URL is too long.
    #[error("the URL has {0} characters; a URL has at most {MAX_URL_LENGTH}")]
    UrlTooLong(usize),
    /// The URL is not permitted, with the message of the rule.
    #[error("{0}")]
    UrlRejected(String),
    /// The filter names an unknown type.
    #[error(
        "{0:?} is not a type of events; leave the types out for all of them, or see the list of types"
    )]
    UnknownType(String),
    /// The filter has too many types.
    #[error(
        "the filter has {0} types; leave the types out for all of them, or name at most {MAX_FILTER_TYPES}"
    )]
    TooManyTypes(usize),
    /// The filter has too many contexts.
    #[error(
        "the filter has {0} contexts; leave the contexts out for all of them, or name at most {MAX_FILTER_CONTEXTS}"
    )]
    TooManyContexts(usize),
}

/// Rules of other modules that a new or changed endpoint has to satisfy.
pub struct EndpointRules<'a> {
    /// Verifies a URL, and returns what is wrong with it.
    pub check_url: &'a dyn Fn(&str) -> Result<(), String>,
    /// Returns `true` for a type of events.
    pub is_event_type: &'a dyn Fn(&str) -> bool,
}

impl EndpointRules<'_> {
    fn verify_url(&self, url: &str) -> Result<(), EndpointError> {
        let length = url.chars().count();
        if length > MAX_URL_LENGTH {
            return Err(EndpointError::UrlTooLong(length));
        }
        (self.check_url)(url).map_err(EndpointError::UrlRejected)
    }

    fn verify_filter(&self, filter: &EventFilter) -> Result<(), EndpointError> {
        if filter.types.len() > MAX_FILTER_TYPES {
            return Err(EndpointError::TooManyTypes(filter.types.len()));
        }
        if filter.contexts.len() > MAX_FILTER_CONTEXTS {
            return Err(EndpointError::TooManyContexts(filter.contexts.len()));
        }
        match filter
            .types
            .iter()
            .find(|name| !(self.is_event_type)(name.as_str()))
        {
            Some(unknown_type) => Err(EndpointError::UnknownType(unknown_type.clone())),
            None => Ok(()),
        }
    }
}

impl Endpoint {
    /// Creates an active endpoint of a client that has `existing` endpoints.
    pub fn create(
        new: NewEndpoint,
        existing: usize,
        now: Timestamp,
        rules: &EndpointRules<'_>,
    ) -> Result<Self, EndpointError> {
        if existing >= MAX_ENDPOINTS {
            return Err(EndpointError::TooManyEndpoints);
        }
        rules.verify_url(&new.url)?;
        rules.verify_filter(&new.filter)?;
        Ok(Self {
            id: new.id,
            client: new.client,
            environment: new.environment,
            url: new.url,
            filter: new.filter,
            signature_kind: new.signature_kind,
            generation: 0,
            rotated_at: None,
            created_at: now,
            state: EndpointState::Active,
        })
    }

    /// Returns the endpoint after `change`. A change that the state already has, or excludes, changes nothing.
    pub fn with_change(
        mut self,
        change: EndpointChange,
        rules: &EndpointRules<'_>,
    ) -> Result<Self, EndpointError> {
        match change {
            EndpointChange::Url(url) => {
                rules.verify_url(&url)?;
                self.url = url;
            }
            EndpointChange::Filter(filter) => {
                rules.verify_filter(&filter)?;
                self.filter = filter;
            }
            EndpointChange::Rotate(now) => {
                self.generation = self.generation.saturating_add(1);
                self.rotated_at = Some(now);
            }
            EndpointChange::Resume => self.state = EndpointState::Active,
            EndpointChange::Pause if self.is_active() => self.state = EndpointState::Paused,
            EndpointChange::Disable { reason, at } if self.is_active() => {
                self.state = EndpointState::Disabled { reason, at };
            }
            EndpointChange::Pause | EndpointChange::Disable { .. } => {}
        }
        Ok(self)
    }

    /// Returns `true` if events are sent.
    pub fn is_active(&self) -> bool {
        self.state == EndpointState::Active
    }

    /// Returns `true` if an event of the client is to be sent. An event that concerns no context has none.
    pub fn accepts(
        &self,
        environment: Environment,
        event_type: &str,
        context: Option<&ContextId>,
    ) -> bool {
        environment == self.environment && self.filter.accepts(event_type, context)
    }

    /// Returns the generation whose signatures follow those of the current one at `now`.
    pub(super) fn overlapping_generation(&self, now: Timestamp) -> Option<u32> {
        let rotated_at = self.rotated_at?;
        let is_overlap = now.saturating_since(rotated_at) < ROTATION_OVERLAP;
        self.generation.checked_sub(1).filter(|_| is_overlap)
    }
}

impl EventFilter {
    fn accepts(&self, event_type: &str, context: Option<&ContextId>) -> bool {
        let is_type = self.types.is_empty() || self.types.contains(event_type);
        let is_context =
            self.contexts.is_empty() || context.is_some_and(|id| self.contexts.contains(id));
        is_type && is_context
    }
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
