//! Named admin tokens: create, rotate and revoke them.

use super::resolve::rejected;
use super::{Ports, ServiceError};
use crate::ports::{Clock, Entropy, Store};
use crate::registry::{
    Actor, AdminToken, AdminTokenChange, AuditAction, AuditEntry, Role, find_by_prefix,
};
use crate::secrets::{AdminTokenText, Secrets};
use crate::vocabulary::{AdminTokenId, AdminTokenName};
use std::sync::Arc;

/// Use cases of named admin tokens.
#[derive(Clone)]
pub struct AdminTokenService {
    store: Arc<dyn Store>,
    clock: Arc<dyn Clock>,
    entropy: Arc<dyn Entropy>,
    secrets: Secrets,
    actor: Actor,
}

/// Admin token with its secret text, which is shown once.
#[derive(Debug, Clone)]
pub struct IssuedAdminToken {
    /// The token.
    pub token: AdminToken,
    /// The secret text of the token.
    pub text: AdminTokenText,
}

impl AdminTokenService {
    /// Creates the service with these ports.
    pub fn new(ports: &Ports) -> Self {
        let Ports {
            store,
            clock,
            entropy,
            secrets,
            ..
        } = ports.clone();
        Self {
            store,
            clock,
            entropy,
            secrets,
            actor: Actor::Operator,
        }
    }

    /// Returns a service that names `actor` in the audit entries.
    #[must_use]
    pub fn acting_as(&self, actor: &Actor) -> Self {
        Self {
            actor: actor.clone(),
            ..self.clone()
        }
    }

    /// Creates a token.
    ///
    /// # Errors
    ///
    /// `Conflict` if a token that is not revoked has the same name.
    pub async fn create(
        &self,
        name: AdminTokenName,
        role: Role,
    ) -> Result<IssuedAdminToken, ServiceError> {
        let now = self.clock.now();
        let id = AdminTokenId::new(now, self.entropy.bytes());
        let token = AdminToken {
            id,
            name,
            role,
            generation: 0,
            created_at: now,
            revoked_at: None,
        };
        let audit = self.audit(
            AuditAction::AdminTokenCreated,
            &token,
            format!("{}, {role}", token.name),
        );
        self.store.create_admin_token(token.clone(), audit).await?;
        Ok(self.issued(token))
    }

    /// Returns all tokens, revoked ones included.
    pub async fn list(&self) -> Result<Vec<AdminToken>, ServiceError> {
        Ok(self.store.admin_tokens().await?)
    }

    /// Returns the token with this name, this id, or a unique prefix of its id. Of several tokens with the name, one
    /// that is not revoked takes precedence, then the latest.
    pub async fn find(&self, reference: &str) -> Result<AdminToken, ServiceError> {
        let tokens = self.store.admin_tokens().await?;
        let tokens_with_name = tokens
            .iter()
            .filter(|token| token.name.as_str() == reference);
        if let Some(token) = tokens_with_name.max_by_key(|token| (token.is_active(), token.id)) {
            return Ok(token.clone());
        }
        find_by_prefix(reference, tokens, |token| token.id.to_string())
            .map_err(|error| rejected("admin token", reference, &error))
    }

    /// Gives a token a new secret. The next request with the old secret is rejected.
    ///
    /// # Errors
    ///
    /// `Conflict` if the token is revoked, or was rotated concurrently.
    pub async fn rotate(&self, name_or_id: &str) -> Result<IssuedAdminToken, ServiceError> {
        let token = self.find(name_or_id).await?;
        let generation = token.generation.saturating_add(1);
        let change = AdminTokenChange::Rotate { generation };
        let detail = format!("{}, rotation {generation}", token.name);
        let rotated_token = self
            .change(&token, change, AuditAction::AdminTokenRotated, detail)
            .await?;
        Ok(self.issued(rotated_token))
    }

    /// Revokes a token permanently. A repeat changes nothing.
    pub async fn revoke(&self, name_or_id: &str) -> Result<AdminToken, ServiceError> {
        let token = self.find(name_or_id).await?;
        let change = AdminTokenChange::Revoke {
            at: self.clock.now(),
        };
        let detail = format!("{}, {}", token.name, token.role);
        self.change(&token, change, AuditAction::AdminTokenRevoked, detail)
            .await
    }

    /// Returns the token with this id and its secret text; `None` if the token is missing or revoked.
    pub async fn active(&self, id: AdminTokenId) -> Result<Option<IssuedAdminToken>, ServiceError> {
        let active_token = self
            .store
            .admin_token(id)
            .await?
            .filter(AdminToken::is_active);
        Ok(active_token.map(|token| self.issued(token)))
    }

    fn issued(&self, token: AdminToken) -> IssuedAdminToken {
        let text = self.secrets.admin_token(token.id, token.generation);
        IssuedAdminToken { token, text }
    }

    async fn change(
        &self,
        token: &AdminToken,
        change: AdminTokenChange,
        action: AuditAction,
        detail: String,
    ) -> Result<AdminToken, ServiceError> {
        let audit = self.audit(action, token, detail);
        let changed_token = self
            .store
            .change_admin_token(token.id, change, audit)
            .await?;
        changed_token
            .ok_or_else(|| ServiceError::NotFound(format!("admin token {:?}", token.name.as_str())))
    }

    fn audit(&self, action: AuditAction, token: &AdminToken, detail: String) -> AuditEntry {
        AuditEntry {
            at: self.clock.now(),
            actor: self.actor.clone(),
            action,
            subject: token.id.to_string(),
            detail,
        }
    }
}
