//! Clients.

use super::change::{NullablePatch, present};
use super::{Limits, Money};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use voight_domain::registry;

/// A client: a billing account.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Client {
    /// Its id.
    pub client_id: String,
    /// Its unique name.
    pub name: String,
    /// Whether it may use the API.
    pub status: ClientStatus,
    /// Origins that may host its checks; none means any, reported as unpinned.
    pub origins: Vec<String>,
    /// Lookups a second, where it differs from the configured limit.
    pub lookup_rate: Option<u32>,
    /// Which of its keys may use its contexts.
    pub contexts: ContextAccess,
    /// When it was created.
    pub created_at: String,
}

/// A client with its limits and its balance.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ClientAccount {
    /// The client.
    #[serde(flatten)]
    pub client: Client,
    /// Its limits for each period.
    pub limits: Limits,
    /// What it owes, for each currency: open invoices, adjustments that wait, and what is carried forward; below zero where it is
    /// owed. The running period is not in it.
    pub balance: Vec<Money>,
}

/// Whether a client may use the API.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ClientStatus {
    /// It may.
    Active,
    /// Every call answers 403 until it is resumed.
    Suspended,
    /// Its last invoice is issued. For good, its keys read usage and invoices, and every other call answers 403.
    Closed,
}

/// Which keys of a client may use its contexts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ContextAccess {
    /// Only the key that a context is tied to: the one that registered it, or the one that it was moved to.
    RegisteringKey,
    /// Every key of the client in the context's environment.
    Client,
}

/// A client to create.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewClient {
    /// Its unique name.
    pub name: String,
}

/// A change of a client: only the members that are there change something.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ClientPatch {
    /// Suspends or resumes it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<ClientStatus>,
    /// Replaces its origins; an empty list lets any origin host its checks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub origins: Option<Vec<String>>,
    /// Sets its own rate of lookups a second; `null` goes back to the configured one.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "present")]
    #[schema(value_type = Option<u32>)]
    pub lookup_rate: Option<NullablePatch<u32>>,
    /// Sets which of its keys may use its contexts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub contexts: Option<ContextAccess>,
}

impl From<&registry::Client> for Client {
    fn from(client: &registry::Client) -> Self {
        Self {
            client_id: client.id.to_string(),
            name: client.name.to_string(),
            status: client.status.into(),
            origins: super::texts(&client.origins),
            lookup_rate: client.lookup_rate,
            contexts: client.contexts.into(),
            created_at: client.created_at.to_string(),
        }
    }
}

impl From<registry::ClientStatus> for ClientStatus {
    fn from(status: registry::ClientStatus) -> Self {
        match status {
            registry::ClientStatus::Active => Self::Active,
            registry::ClientStatus::Suspended => Self::Suspended,
            registry::ClientStatus::Closed => Self::Closed,
        }
    }
}

impl From<ClientStatus> for registry::ClientStatus {
    fn from(status: ClientStatus) -> Self {
        match status {
            ClientStatus::Active => Self::Active,
            ClientStatus::Suspended => Self::Suspended,
            ClientStatus::Closed => Self::Closed,
        }
    }
}

impl From<registry::ContextAccess> for ContextAccess {
    fn from(access: registry::ContextAccess) -> Self {
        match access {
            registry::ContextAccess::RegisteringKey => Self::RegisteringKey,
            registry::ContextAccess::Client => Self::Client,
        }
    }
}

impl From<ContextAccess> for registry::ContextAccess {
    fn from(access: ContextAccess) -> Self {
        match access {
            ContextAccess::RegisteringKey => Self::RegisteringKey,
            ContextAccess::Client => Self::Client,
        }
    }
}
