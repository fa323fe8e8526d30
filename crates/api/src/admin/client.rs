//! Clients.

use super::change::{NullablePatch, present};
use super::{Limits, Money};
use crate::wire_enum::wire_enum;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use voight_domain::registry;

/// Client: a billing account.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Client {
    /// Client id.
    pub client_id: String,
    /// Unique client name.
    pub name: String,
    /// Status of the client: access to the API.
    pub status: ClientStatus,
    /// Origins that may host checks of the client. If empty, any origin may, and receipts report it as unpinned.
    pub origins: Vec<String>,
    /// Lookups per second, if the client has a limit of its own.
    pub lookup_rate: Option<u32>,
    /// Keys of the client that may use its contexts.
    pub contexts: ContextAccess,
    /// Time of creation.
    pub created_at: String,
}

/// Client with its limits and its balance.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ClientAccount {
    /// The client.
    #[serde(flatten)]
    pub client: Client,
    /// Limits for each period.
    pub limits: Limits,
    /// Amount owed in each currency: open invoices, pending adjustments and the amount that is carried forward. Negative in
    /// favour of the client. The current period is not included.
    pub balance: Vec<Money>,
}

wire_enum! {
    /// Access of a client to the API.
    ClientStatus = registry::ClientStatus, "snake_case" {
        /// The client may call the API.
        Active,
        /// Every call fails with 403 until the client is resumed.
        Suspended,
        /// The last invoice is issued. Keys of the client can only read usage and invoices; every other call fails with 403,
        /// permanently.
        Closed,
    }
}

wire_enum! {
    /// Keys of a client that may use its contexts.
    ContextAccess = registry::ContextAccess, "kebab-case" {
        /// Only the key to which a context is assigned: the key that registered it, or the key to which it was moved.
        RegisteringKey,
        /// Every key of the client in the environment of the context.
        Client,
    }
}

/// Client to create.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewClient {
    /// Unique client name.
    pub name: String,
}

/// Change of a client. A member that is absent changes nothing.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ClientPatch {
    /// Suspends or resumes the client.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<ClientStatus>,
    /// Replaces the origins; an empty list lets any origin host checks of the client.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub origins: Option<Vec<String>>,
    /// Sets the client's own limit of lookups per second; `null` restores the configured limit.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        deserialize_with = "present"
    )]
    #[schema(value_type = Option<u32>)]
    pub lookup_rate: Option<NullablePatch<u32>>,
    /// Sets the keys of the client that may use its contexts.
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
