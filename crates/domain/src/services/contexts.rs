//! Contexts: register and change them.

use super::read_all::ContextPages;
use super::{RegistryService, ServiceError};
use crate::metering::IdempotencyInput;
use crate::ports::{ContextFilter, RegisterOutcome, RegistryStore, StoreError};
use crate::registry::{Actor, AuditAction, Context, ContextChange, ContextSettings, KeyWithClient};
use crate::vocabulary::{ContextId, ContextTitle, IdempotencyKey};
use std::collections::HashSet;

/// Returns the context with this id if the key may use it.
///
/// The context of another client takes the reads of one that does not exist, so that the time of a response tells nothing.
pub(super) async fn usable_context(
    store: &dyn RegistryStore,
    holder: &KeyWithClient,
    id: &ContextId,
) -> Result<Option<Context>, StoreError> {
    let context = store.context_of_client(holder.client.id, id).await?;
    Ok(context.filter(|context| context.is_usable_by(holder)))
}

/// Request to register a context.
#[derive(Debug, Clone)]
pub struct RegistrationRequest {
    /// The title of the context.
    pub title: ContextTitle,
    /// The caller's idempotency key.
    pub idempotency_key: Option<IdempotencyKey>,
}

/// Result of a registration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Registration {
    /// The context was registered by this call.
    Registered(ContextId),
    /// The context was registered before, by a request with the same idempotency key.
    Replayed(ContextId),
    /// The idempotency key was used with another title.
    KeyReused,
    /// The key has expired, or was revoked concurrently.
    KeyRejected,
}

impl RegistryService {
    /// Registers a context for the requesting key. A repeated title registers another context, with a new suffix.
    pub async fn register_context(
        &self,
        holder: &KeyWithClient,
        request: RegistrationRequest,
        actor: Actor,
    ) -> Result<Registration, StoreError> {
        let now = self.now();
        let context = Context {
            id: ContextId::new(&request.title, now, self.entropy.bytes()),
            number: 0,
            client: holder.client.id,
            key: holder.key.id,
            environment: holder.key.environment,
            settings: ContextSettings::default(),
            created_at: now,
            archived_at: None,
        };
        let idempotency = request.idempotency_key.map(|key| IdempotencyInput {
            key_digest: self.secrets.idempotency_key_digest("register", &key),
            fingerprint: self
                .secrets
                .registration_fingerprint(holder.key.id, &request.title),
        });
        let audit = self.audit(actor, AuditAction::ContextRegistered, &context.id, "");
        Ok(
            match self
                .store
                .register_context(context, idempotency, audit)
                .await?
            {
                RegisterOutcome::Registered(context) => Registration::Registered(context.id),
                RegisterOutcome::Replayed(id) => Registration::Replayed(id),
                RegisterOutcome::IdempotencyKeyReused => Registration::KeyReused,
                RegisterOutcome::KeyRejected => Registration::KeyRejected,
            },
        )
    }

    /// Changes a context's settings, or archives it. `detail` describes the change in the audit log.
    pub async fn change_context(
        &self,
        id: &ContextId,
        change: ContextChange,
        actor: Actor,
        detail: String,
    ) -> Result<Context, ServiceError> {
        let audit = self.audit(actor, AuditAction::ContextChanged, &id, detail);
        let changed_context = self.store.change_context(id, change, audit).await?;
        changed_context.ok_or_else(|| ServiceError::NotFound(format!("context {id}")))
    }

    /// Archives a context: it opens no new checks, its lookups are still answered.
    pub async fn archive_context(
        &self,
        id: &ContextId,
        actor: Actor,
    ) -> Result<Context, ServiceError> {
        let change = ContextChange {
            archived_at: Some(Some(self.now())),
            ..ContextChange::default()
        };
        self.change_context(id, change, actor, "archived".into())
            .await
    }

    /// Returns the context with this id.
    pub async fn find_context(&self, id: &ContextId) -> Result<Context, ServiceError> {
        self.store
            .context(id)
            .await?
            .ok_or_else(|| ServiceError::NotFound(format!("context {id}")))
    }

    /// Returns the context with this id if the key may use it ([`usable_context`]).
    pub async fn find_usable_context(
        &self,
        holder: &KeyWithClient,
        id: &ContextId,
    ) -> Result<Context, ServiceError> {
        let context = usable_context(self.store.as_ref(), holder, id).await?;
        context.ok_or_else(|| ServiceError::NotFound(format!("context {id}")))
    }

    /// Returns the first `limit` open contexts for which neither the context nor its client lists an origin.
    pub async fn contexts_without_origins(&self, limit: usize) -> Result<Vec<Context>, StoreError> {
        let clients = self.all_clients().await?;
        let open: HashSet<_> = clients
            .iter()
            .filter(|client| client.origins.is_empty())
            .map(|client| client.id)
            .collect();
        let mut contexts = Vec::new();
        let mut pages = ContextPages::new(self.store.as_ref(), ContextFilter::All, None);
        while let Some(page) = pages.next().await? {
            let without_origins = page.into_iter().filter(|context| {
                context.archived_at.is_none()
                    && context.settings.origins.is_empty()
                    && open.contains(&context.client)
            });
            contexts.extend(without_origins.take(limit - contexts.len()));
            if contexts.len() == limit {
                break;
            }
        }
        Ok(contexts)
    }
}
