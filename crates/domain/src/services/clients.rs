//! Creating and changing clients.

use super::RegistryService;
use crate::ports::StoreError;
use crate::registry::{AuditAction, Client, ClientChange, ClientStatus, ContextAccess};
use crate::vocabulary::{ClientId, ClientName};

/// Why an operator's change of the registry failed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ServiceError {
    /// There is no such client, key or context.
    #[error("there is no {0}")]
    NotFound(String),
    /// The request itself is wrong.
    #[error("{0}")]
    Invalid(String),
    /// The store could not do it.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl RegistryService {
    /// Creates a client: a billing account.
    pub async fn create_client(&self, name: ClientName) -> Result<Client, ServiceError> {
        let client = Client {
            id: ClientId::new(self.now(), self.entropy.bytes()),
            name,
            status: ClientStatus::Active,
            origins: Vec::new(),
            lookup_rate: None,
            contexts: ContextAccess::default(),
            created_at: self.now(),
        };
        let audit = self.audit(self.actor.clone(), AuditAction::ClientCreated, &client.id, client.name.as_str());
        let name = client.name.clone();
        self.store.create_client(client, audit).await.map_err(|error| match error {
            StoreError::Conflict(_) => StoreError::Conflict(format!(
                "There is a client named {:?} already; choose another name.",
                name.as_str()
            ))
            .into(),
            other => other.into(),
        })
    }

    /// Changes a client.
    pub async fn change_client(&self, id: ClientId, change: ClientChange) -> Result<Client, ServiceError> {
        if matches!(change, ClientChange::Status(ClientStatus::Closed)) {
            return Err(ServiceError::Invalid(
                "a client is closed by issuing its last invoice, not by its status".into(),
            ));
        }
        let closed = self.store.client(id).await?.is_some_and(|client| client.status == ClientStatus::Closed);
        if closed && matches!(change, ClientChange::Status(_)) {
            return Err(ServiceError::Invalid("the client is closed for good; create a new one".into()));
        }
        let audit = self.audit(self.actor.clone(), AuditAction::ClientChanged, &id, describe_change(&change));
        let changed = self.store.change_client(id, change, audit).await?;
        changed.ok_or_else(|| ServiceError::NotFound(format!("client {id}")))
    }
}

fn describe_change(change: &ClientChange) -> String {
    match change {
        ClientChange::Status(ClientStatus::Active) => "resumed".into(),
        ClientChange::Status(ClientStatus::Suspended) => "suspended".into(),
        ClientChange::Status(ClientStatus::Closed) => "closed".into(),
        ClientChange::Origins(origins) if origins.is_empty() => {
            "origins cleared: any origin may host its checks".into()
        }
        ClientChange::Origins(origins) => {
            let list: Vec<_> = origins.iter().map(ToString::to_string).collect();
            format!("origins set to {}", list.join(", "))
        }
        ClientChange::LookupRate(None) => "lookup rate back to the configured one".into(),
        ClientChange::LookupRate(Some(rate)) => format!("lookup rate set to {rate} a second"),
        ClientChange::Contexts(ContextAccess::RegisteringKey) => "contexts: each for the key that it is tied to".into(),
        ClientChange::Contexts(ContextAccess::Client) => "contexts: each for every key of the client".into(),
    }
}
