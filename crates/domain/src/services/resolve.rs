//! Finding clients, keys and contexts by what operators write: an id, the unique beginning of one, a name.

use super::{RegistryService, ServiceError};
use crate::ports::{ContextFilter, StoreError};
use crate::registry::{Client, Context, Key, ReferenceError, find_by_prefix, find_only};
use crate::vocabulary::{ClientId, ClientName, ContextId, KeyId};

/// The number of entries that one call of the store is asked for.
const PAGE: usize = 500;

impl RegistryService {
    /// The client with this name, this id, or the only one whose id begins so; a name wins.
    pub async fn find_client(&self, reference: &str) -> Result<Client, ServiceError> {
        if let Ok(name) = reference.parse::<ClientName>()
            && let Some(client) = self.store.client_named(&name).await?
        {
            return Ok(client);
        }
        if let Ok(id) = reference.parse::<ClientId>() {
            return self.store.client(id).await?.ok_or_else(|| unknown("client", reference));
        }
        let clients = self.all_clients().await?;
        find_by_prefix(reference, clients, |client| client.id.to_string())
            .map_err(|error| rejected("client", reference, &error))
    }

    /// The key with this id, or the only one whose id begins so.
    pub async fn resolve_key(&self, reference: &str) -> Result<Key, ServiceError> {
        if let Ok(id) = reference.parse::<KeyId>() {
            return self.find_key(id).await;
        }
        let mut keys = Vec::new();
        for client in self.all_clients().await? {
            keys.extend(self.store.keys(client.id).await?);
        }
        find_by_prefix(reference, keys, |key| key.id.to_string()).map_err(|error| rejected("key", reference, &error))
    }

    /// The context with this id, the only one whose id begins so, or the only one of `client/title`. Of several contexts of a
    /// title, one that is not archived wins if it is the only one.
    pub async fn resolve_context(&self, reference: &str) -> Result<Context, ServiceError> {
        if let Ok(id) = reference.parse::<ContextId>() {
            return self.find_context(&id).await;
        }
        let found = if let Some((client, title)) = reference.rsplit_once('/') {
            let client = self.find_client(client).await?;
            titled(self.all_contexts(ContextFilter::Client(client.id)).await?, title)
        } else {
            let contexts = self.all_contexts(ContextFilter::All).await?;
            find_by_prefix(reference, contexts, |context| context.id.to_string())
        };
        found.map_err(|error| rejected("context", reference, &error))
    }

    async fn all_clients(&self) -> Result<Vec<Client>, StoreError> {
        let mut all: Vec<Client> = Vec::new();
        loop {
            let page = self.store.clients(all.last().map(|client| client.id), PAGE).await?;
            let is_last = page.len() < PAGE;
            all.extend(page);
            if is_last {
                return Ok(all);
            }
        }
    }

    async fn all_contexts(&self, filter: ContextFilter) -> Result<Vec<Context>, StoreError> {
        let mut all: Vec<Context> = Vec::new();
        loop {
            let after = all.last().map(|context| context.id.clone());
            let page = self.store.contexts(filter, after, PAGE).await?;
            let is_last = page.len() < PAGE;
            all.extend(page);
            if is_last {
                return Ok(all);
            }
        }
    }
}

/// The only context of this title; the only open one, if others are archived.
fn titled(contexts: Vec<Context>, title: &str) -> Result<Context, ReferenceError> {
    let of_title: Vec<_> = contexts.into_iter().filter(|context| context.id.title() == title).collect();
    let open: Vec<_> = of_title.iter().filter(|context| context.archived_at.is_none()).cloned().collect();
    find_only(if open.is_empty() { of_title } else { open }, |context| context.id.to_string())
}

/// The rejection of a reference, as a 404 or as a wrong request.
pub(super) fn rejected(kind: &str, reference: &str, error: &ReferenceError) -> ServiceError {
    match error {
        ReferenceError::Unknown => unknown(kind, reference),
        _ => ServiceError::Invalid(format!("{kind} {reference:?} {error}")),
    }
}

fn unknown(kind: &str, reference: &str) -> ServiceError {
    ServiceError::NotFound(format!("{kind} {reference:?}"))
}
