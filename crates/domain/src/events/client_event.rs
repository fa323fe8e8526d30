//! Event of a client.

use super::EventType;
use crate::verdict::Answer;
use crate::vocabulary::{
    ContextId, EndpointId, Environment, EoaAddress, KeyId, SnapshotId, Timestamp,
};

/// Event in the feed of a client.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClientEvent {
    /// Number within the client, from 1, without gaps.
    pub number: u64,
    /// The time of the change. It never decreases with the number.
    pub at: Timestamp,
    /// The change, with its object.
    pub event: NewEvent,
}

/// Event before the store has assigned its number and time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewEvent {
    /// The type.
    pub event_type: EventType,
    /// The environment of the object. An API key of the sandbox reads events of the sandbox only.
    pub environment: Environment,
    /// The object that changed.
    pub subject: EventSubject,
}

/// Object of an event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EventSubject {
    /// The verdict on an address in a context.
    Verdict {
        /// The context.
        context: ContextId,
        /// The address; `None` after its erasure.
        address: Option<EoaAddress>,
        /// The new answer, if the client has looked the address up in this context before.
        answer: Option<Answer>,
    },
    /// A context.
    Context(ContextId),
    /// An API key.
    Key(KeyId),
    /// A ledger, at the row with this sequence number.
    Ledger(u64),
    /// The client's invoice with this number.
    Invoice(u32),
    /// A snapshot.
    Snapshot(SnapshotId),
    /// A webhook endpoint.
    Endpoint(EndpointId),
}

impl NewEvent {
    /// Returns the context that the event concerns; `None` for an event of the account.
    pub const fn context(&self) -> Option<&ContextId> {
        match &self.subject {
            EventSubject::Verdict { context, .. } | EventSubject::Context(context) => Some(context),
            EventSubject::Key(_)
            | EventSubject::Ledger(_)
            | EventSubject::Invoice(_)
            | EventSubject::Snapshot(_)
            | EventSubject::Endpoint(_) => None,
        }
    }

    /// Returns `true` if the event is about this address.
    pub fn is_about(&self, address: EoaAddress) -> bool {
        matches!(&self.subject, EventSubject::Verdict { address: Some(subject), .. } if *subject == address)
    }

    /// Returns the event without its address and answer, as an erasure leaves it.
    #[must_use]
    pub fn without_address(self) -> Self {
        let subject = match self.subject {
            EventSubject::Verdict { context, .. } => EventSubject::Verdict {
                context,
                address: None,
                answer: None,
            },
            other_subject => other_subject,
        };
        Self { subject, ..self }
    }
}
