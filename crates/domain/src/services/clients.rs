//! Creates and changes clients.

use super::RegistryService;
use crate::ports::StoreError;
use crate::registry::{AuditAction, Client, ClientChange, ClientStatus, ContextAccess};
use crate::vocabulary::{ClientId, ClientName};

/// Error of an operator's use case.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ServiceError {
    /// The client, key or context does not exist.
    #[error("there is no {0}")]
    NotFound(String),
    /// The request is invalid.
    #[error("{0}")]
    Invalid(String),
    /// The storage call failed.
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
        let audit = self.audit(
            self.actor.clone(),
            AuditAction::ClientCreated,
            &client.id,
            client.name.as_str(),
        );
        let name = client.name.clone();
        self.store
            .create_client(client, audit)
            .await
            .map_err(|error| match error {
                StoreError::Conflict(_) => StoreError::Conflict(format!(
                    "A client named {:?} already exists; choose another name.",
                    name.as_str()
                ))
                .into(),
                other => other.into(),
            })
    }

    /// Changes a client.
    pub async fn change_client(
        &self,
        id: ClientId,
        change: ClientChange,
    ) -> Result<Client, ServiceError> {
        if matches!(change, ClientChange::Status(ClientStatus::Closed)) {
            return Err(ServiceError::Invalid(
                "a client cannot be closed by a change of its status; close it with its last invoice".into(),
            ));
        }
        let is_closed = self
            .store
            .client(id)
            .await?
            .is_some_and(|client| client.status == ClientStatus::Closed);
        if is_closed && matches!(change, ClientChange::Status(_)) {
            return Err(ServiceError::Invalid(
                "the client is permanently closed; create a new one".into(),
            ));
        }
        let audit = self.audit(
            self.actor.clone(),
            AuditAction::ClientChanged,
            &id,
            describe_change(&change),
        );
        let changed_client = self.store.change_client(id, change, audit).await?;
        changed_client.ok_or_else(|| ServiceError::NotFound(format!("client {id}")))
    }
}

/// Returns the text of the audit entry.
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
        ClientChange::LookupRate(None) => "lookup rate reset to the configured one".into(),
        ClientChange::LookupRate(Some(rate)) => format!("lookup rate set to {rate} per second"),
        ClientChange::Contexts(ContextAccess::RegisteringKey) => {
            "contexts: usable by the key that each is tied to".into()
        }
        ClientChange::Contexts(ContextAccess::Client) => {
            "contexts: usable by every key of the client".into()
        }
    }
}
