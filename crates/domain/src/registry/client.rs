//! Clients: the billing accounts.

use super::ContextAccess;
use crate::vocabulary::{ClientId, ClientName, Origin, Timestamp};

/// A client as it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Client {
    /// Its id.
    pub id: ClientId,
    /// Its unique name.
    pub name: ClientName,
    /// Whether it may use the API.
    pub status: ClientStatus,
    /// Origins that may host its checks; empty means any, reported as unpinned.
    pub origins: Vec<Origin>,
    /// Lookups a second, where it differs from the configured limit.
    pub lookup_rate: Option<u32>,
    /// Which of its keys may use its contexts.
    pub contexts: ContextAccess,
    /// When it was created.
    pub created_at: Timestamp,
}

/// A client about to be created.
pub type NewClient = Client;

/// Whether a client may use the API.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClientStatus {
    /// It may.
    Active,
    /// An operator suspended it: every call answers 403 until it is resumed.
    Suspended,
    /// An operator closed it, and its last invoice is issued: for good, its keys read usage and invoices, and every other call
    /// answers 403.
    Closed,
}

/// One change of a client.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ClientChange {
    /// Suspends or resumes it.
    Status(ClientStatus),
    /// Replaces its origins.
    Origins(Vec<Origin>),
    /// Sets or clears its own rate of lookups.
    LookupRate(Option<u32>),
    /// Sets which of its keys may use its contexts.
    Contexts(ContextAccess),
}

impl Client {
    /// The client after `change`.
    #[must_use]
    pub fn with_change(mut self, change: ClientChange) -> Self {
        match change {
            // What is closed stays closed.
            ClientChange::Status(status) if self.status != ClientStatus::Closed => self.status = status,
            ClientChange::Status(_) => {}
            ClientChange::Origins(origins) => self.origins = origins,
            ClientChange::LookupRate(rate) => self.lookup_rate = rate,
            ClientChange::Contexts(access) => self.contexts = access,
        }
        self
    }
}
