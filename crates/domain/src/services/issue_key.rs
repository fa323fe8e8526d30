//! Issuing, rotating and revoking keys.

use super::{Registrar, RegistrarError};
use crate::registry::{Actor, AuditAction, Key, KeyChange, KeySecret, OVERLAP_MAX};
use crate::vocabulary::{ApiKey, ClientId, Environment, KeyId, ScopeSet, Timestamp};
use ipnet::IpNet;
use std::time::Duration;

/// A key to issue.
#[derive(Debug, Clone)]
pub struct IssueKey {
    /// Whose key it will be.
    pub client: ClientId,
    /// Live or sandbox.
    pub environment: Environment,
    /// What it may do.
    pub scopes: ScopeSet,
    /// Networks it may be used from; empty means any.
    pub networks: Vec<IpNet>,
    /// When it stops working.
    pub expires_at: Option<Timestamp>,
}

/// A key with its secret, which is shown this once.
#[derive(Debug, Clone)]
pub struct IssuedKey {
    /// The key.
    pub key: Key,
    /// Its secret.
    pub secret: ApiKey,
}

impl Registrar {
    /// Issues a key.
    pub async fn issue_key(&self, request: IssueKey) -> Result<IssuedKey, RegistrarError> {
        let now = self.now();
        if request.expires_at.is_some_and(|end| end <= now) {
            return Err(RegistrarError::Invalid(
                "the key would be expired from the start; give a time in the future".into(),
            ));
        }
        let secret = self.draw_secret(request.environment);
        let key = Key {
            id: KeyId::new(now, self.entropy.bytes()),
            number: 0,
            client: request.client,
            environment: request.environment,
            scopes: request.scopes,
            networks: request.networks,
            secrets: vec![self.stored(&secret)],
            created_at: now,
            expires_at: request.expires_at,
            revoked_at: None,
        };
        let audit = self.audit(Actor::Operator, AuditAction::KeyIssued, &key.id, secret.hint());
        match self.store.create_key(key, audit).await? {
            Some(key) => Ok(IssuedKey { key, secret }),
            None => Err(RegistrarError::NotFound(format!("client {}", request.client))),
        }
    }

    /// Gives a key a new secret; the old one stays valid for `overlap`, at most 30 days, and never beyond its own expiry.
    pub async fn rotate_key(&self, id: KeyId, overlap: Duration) -> Result<IssuedKey, RegistrarError> {
        if overlap > OVERLAP_MAX {
            return Err(RegistrarError::Invalid("the overlap of a rotation is at most 30 days".into()));
        }
        let now = self.now();
        let key = self.find_key(id).await?;
        if !key.secrets.last().is_some_and(|current| key.accepts(current.digest, now)) {
            return Err(RegistrarError::Invalid(format!("key {id} is revoked or expired; issue a new key instead")));
        }
        let secret = self.draw_secret(key.environment);
        let change = KeyChange::Rotate { secret: self.stored(&secret), overlap_until: now.plus(overlap) };
        let detail = format!("{}, old secret until {}", secret.hint(), now.plus(overlap));
        let audit = self.audit(Actor::Operator, AuditAction::KeyRotated, &id, detail);
        match self.store.change_key(id, change, audit).await? {
            Some(key) => Ok(IssuedKey { key, secret }),
            None => Err(RegistrarError::NotFound(format!("key {id}"))),
        }
    }

    /// Revokes a key: no secret of it opens anything from now on.
    pub async fn revoke_key(&self, id: KeyId) -> Result<Key, RegistrarError> {
        let audit = self.audit(Actor::Operator, AuditAction::KeyRevoked, &id, "");
        let revoked = self.store.change_key(id, KeyChange::Revoke { at: self.now() }, audit).await?;
        revoked.ok_or_else(|| RegistrarError::NotFound(format!("key {id}")))
    }

    /// The key of this id.
    pub async fn find_key(&self, id: KeyId) -> Result<Key, RegistrarError> {
        self.store.key(id).await?.ok_or_else(|| RegistrarError::NotFound(format!("key {id}")))
    }

    fn draw_secret(&self, environment: Environment) -> ApiKey {
        loop {
            if let Some(key) = ApiKey::generate(environment, &self.entropy.bytes()) {
                return key;
            }
        }
    }

    fn stored(&self, secret: &ApiKey) -> KeySecret {
        KeySecret { digest: self.secrets.key_digest(secret), hint: secret.hint(), until: None }
    }
}
