//! Resolution of references to clients, keys and contexts.
//!
//! An operator refers to one by its id, a unique prefix of its id, or its name.

use super::read_all::{read_clients, read_contexts};
use super::{RegistryService, ServiceError};
use crate::ports::{ContextFilter, StoreError};
use crate::registry::{Client, Context, Key, ReferenceError, find_by_prefix, find_only};
use crate::vocabulary::{ClientId, ClientName, ContextId, KeyId};

impl RegistryService {
    /// Returns the client with this name, this id, or a unique prefix of its id; the name takes precedence.
    pub async fn find_client(&self, reference: &str) -> Result<Client, ServiceError> {
        if let Ok(name) = reference.parse::<ClientName>()
            && let Some(client) = self.store.client_named(&name).await?
        {
            return Ok(client);
        }
        if let Ok(id) = reference.parse::<ClientId>() {
            return self
                .store
                .client(id)
                .await?
                .ok_or_else(|| unknown("client", reference));
        }
        let clients = self.all_clients().await?;
        find_by_prefix(reference, clients, |client| client.id.to_string())
            .map_err(|error| rejected("client", reference, &error))
    }

    /// Returns the key with this id, or with a unique prefix of its id.
    pub async fn resolve_key(&self, reference: &str) -> Result<Key, ServiceError> {
        if let Ok(id) = reference.parse::<KeyId>() {
            return self.find_key(id).await;
        }
        let mut keys = Vec::new();
        for client in self.all_clients().await? {
            keys.extend(self.store.keys(client.id).await?);
        }
        find_by_prefix(reference, keys, |key| key.id.to_string())
            .map_err(|error| rejected("key", reference, &error))
    }

    /// Returns the context with this id, a unique prefix of its id, or the only match of `client/title`. Of several
    /// contexts with the title, the only one that is not archived takes precedence.
    pub async fn resolve_context(&self, reference: &str) -> Result<Context, ServiceError> {
        if let Ok(id) = reference.parse::<ContextId>() {
            return self.find_context(&id).await;
        }
        let contexts = if let Some((client, title)) = reference.rsplit_once('/') {
            let client = self.find_client(client).await?;
            titled(
                self.all_contexts(ContextFilter::Client(client.id)).await?,
                title,
            )
        } else {
            let contexts = self.all_contexts(ContextFilter::All).await?;
            find_by_prefix(reference, contexts, |context| context.id.to_string())
        };
        contexts.map_err(|error| rejected("context", reference, &error))
    }

    /// Returns all clients.
    pub async fn all_clients(&self) -> Result<Vec<Client>, StoreError> {
        read_clients(self.store.as_ref()).await
    }

    /// Returns `true` if a context exists.
    pub async fn has_contexts(&self) -> Result<bool, StoreError> {
        let first_context = self.store.contexts(ContextFilter::All, None, 1).await?;
        Ok(!first_context.is_empty())
    }

    /// Returns all contexts that match the filter.
    pub async fn all_contexts(&self, filter: ContextFilter) -> Result<Vec<Context>, StoreError> {
        read_contexts(self.store.as_ref(), filter).await
    }
}

/// Returns the only context with this title; archived contexts count only if all of them are archived.
fn titled(contexts: Vec<Context>, title: &str) -> Result<Context, ReferenceError> {
    let of_title: Vec<_> = contexts
        .into_iter()
        .filter(|context| context.id.title() == title)
        .collect();
    let open: Vec<_> = of_title
        .iter()
        .filter(|context| context.archived_at.is_none())
        .cloned()
        .collect();
    find_only(if open.is_empty() { of_title } else { open }, |context| {
        context.id.to_string()
    })
}

/// Returns the error for a rejected reference: not found, or an invalid request.
pub(super) fn rejected(kind: &str, reference: &str, error: &ReferenceError) -> ServiceError {
    match error {
        ReferenceError::Unknown => unknown(kind, reference),
        _ => ServiceError::Invalid(format!("{kind} {reference:?} {error}")),
    }
}

fn unknown(kind: &str, reference: &str) -> ServiceError {
    ServiceError::NotFound(format!("{kind} {reference:?}"))
}
