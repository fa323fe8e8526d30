//! Clients: the billing accounts of platforms.

use crate::vocabulary::{ClientId, ClientName, Origin, Timestamp};

/// Stored record of a client.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Client {
    /// Id of the client.
    pub id: ClientId,
    /// Unique name of the client.
    pub name: ClientName,
    /// Status, which decides the use of the API.
    pub status: ClientStatus,
    /// Allowlist of origins that may host the client's checks.
    ///
    /// If it is empty, every origin is accepted and reported as not pinned.
    pub origins: Vec<Origin>,
    /// Rate limit in lookups per second; `None` for the configured limit.
    pub lookup_rate: Option<u32>,
    /// Rule that decides which keys of the client may use its contexts.
    pub contexts: ContextAccess,
    /// The time of creation.
    pub created_at: Timestamp,
}

/// Client to create.
pub type NewClient = Client;

/// Status of a client.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClientStatus {
    /// The client may use the API.
    Active,
    /// Suspended by an operator: every call returns 403 until the client is resumed.
    Suspended,
    /// Closed by an operator, permanently, with the last invoice issued.
    ///
    /// The client's keys can read usage and invoices, and every other call returns 403.
    Closed,
}

/// Change of a client.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ClientChange {
    /// Suspends or resumes the client.
    Status(ClientStatus),
    /// Replaces the allowlist of origins.
    Origins(Vec<Origin>),
    /// Sets or clears the client's own rate limit of lookups.
    LookupRate(Option<u32>),
    /// Sets the rule that decides which keys may use the contexts.
    Contexts(ContextAccess),
}

/// Rule that decides which keys of a client may use its contexts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ContextAccess {
    /// Only the key of the context: the one that registered it, or the one to which it was moved.
    #[default]
    RegisteringKey,
    /// Every key of the client in the context's environment.
    Client,
}

impl ContextAccess {
    /// Returns the value of the setting in its text form.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::RegisteringKey => "registering-key",
            Self::Client => "client",
        }
    }
}

impl Client {
    /// Returns the client after `change`.
    #[must_use]
    pub fn with_change(mut self, change: ClientChange) -> Self {
        match change {
            // A closed client stays closed.
            ClientChange::Status(status) if self.status != ClientStatus::Closed => {
                self.status = status;
            }
            ClientChange::Status(_) => {}
            ClientChange::Origins(origins) => self.origins = origins,
            ClientChange::LookupRate(rate) => self.lookup_rate = rate,
            ClientChange::Contexts(access) => self.contexts = access,
        }
        self
    }
}
