//! Registering and changing contexts.

use super::{RegistryService, ServiceError};
use crate::metering::IdempotencyInput;
use crate::ports::{RegisterOutcome, StoreError};
use crate::registry::{Actor, AuditAction, Context, ContextChange, ContextSettings, KeyWithClient};
use crate::vocabulary::{ContextId, ContextTitle, IdempotencyKey};

/// A context to register.
#[derive(Debug, Clone)]
pub struct RegistrationRequest {
    /// Its title.
    pub title: ContextTitle,
    /// The caller's idempotency key.
    pub idempotency_key: Option<IdempotencyKey>,
}

/// What became of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Registration {
    /// Registered now.
    Registered(ContextId),
    /// Registered before, by the same request.
    Replayed(ContextId),
    /// The idempotency key was used with another title.
    KeyReused,
    /// The key was revoked meanwhile, or has expired.
    KeyRefused,
}

impl RegistryService {
    /// Registers a context for the key that asks. The same title registers again, under a new suffix.
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
        let claim = request.idempotency_key.map(|key| IdempotencyInput {
            key_digest: self.secrets.idempotency_key_digest("register", &key),
            fingerprint: self.secrets.registration_fingerprint(holder.key.id, &request.title),
        });
        let audit = self.audit(actor, AuditAction::ContextRegistered, &context.id, "");
        Ok(match self.store.register_context(context, claim, audit).await? {
            RegisterOutcome::Registered(context) => Registration::Registered(context.id),
            RegisterOutcome::Replayed(id) => Registration::Replayed(id),
            RegisterOutcome::IdempotencyKeyReused => Registration::KeyReused,
            RegisterOutcome::KeyRefused => Registration::KeyRefused,
        })
    }

    /// Changes a context's settings, or archives it. `detail` says in words what changes.
    pub async fn change_context(
        &self,
        id: &ContextId,
        change: ContextChange,
        actor: Actor,
        detail: String,
    ) -> Result<Context, ServiceError> {
        let audit = self.audit(actor, AuditAction::ContextChanged, &id, detail);
        let changed = self.store.change_context(id, change, audit).await?;
        changed.ok_or_else(|| ServiceError::NotFound(format!("context {id}")))
    }

    /// Archives a context now: it opens no new checks, its lookups still answer.
    pub async fn archive_context(&self, id: &ContextId, actor: Actor) -> Result<Context, ServiceError> {
        let change = ContextChange { archived_at: Some(Some(self.now())), ..ContextChange::default() };
        self.change_context(id, change, actor, "archived".into()).await
    }

    /// The context of this id.
    pub async fn find_context(&self, id: &ContextId) -> Result<Context, ServiceError> {
        self.store.context(id).await?.ok_or_else(|| ServiceError::NotFound(format!("context {id}")))
    }
}
