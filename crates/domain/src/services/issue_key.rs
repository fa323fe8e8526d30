//! Keys: issue and rotate them.

use super::reason::{optional_reason, with_reason};
use super::{RegistryService, ServiceError};
use crate::ports::StoreError;
use crate::registry::{
    AuditAction, Client, ClientStatus, Key, KeyChange, KeySecret, KeyUse, MAX_ROTATION_OVERLAP,
};
use crate::vocabulary::{ApiKey, ClientId, Environment, KeyId, KeyLabel, ScopeSet, Timestamp};
use ipnet::IpNet;
use std::time::Duration;

/// Request to issue a key.
#[derive(Debug, Clone)]
pub struct IssueKey {
    /// The client that owns the key.
    pub client: ClientId,
    /// The environment: live or sandbox.
    pub environment: Environment,
    /// Scopes of the key.
    pub scopes: ScopeSet,
    /// Networks from which the key may be used; empty for any network.
    pub networks: Vec<IpNet>,
    /// The time of expiry.
    pub expires_at: Option<Timestamp>,
    /// The operator's label.
    pub label: Option<KeyLabel>,
}

/// Key with its secret, which is shown once.
#[derive(Debug, Clone)]
pub struct IssuedKey {
    /// The key.
    pub key: Key,
    /// The secret of the key.
    pub secret: ApiKey,
}

impl RegistryService {
    /// Issues a key.
    pub async fn issue_key(&self, request: IssueKey) -> Result<IssuedKey, ServiceError> {
        let now = self.now();
        if request.expires_at.is_some_and(|end| end <= now) {
            return Err(ServiceError::Invalid(
                "the key would be expired from the start; give a time in the future".into(),
            ));
        }
        let client = self.store.client(request.client).await?;
        if let Some(client) = client.filter(|client| client.status == ClientStatus::Closed) {
            return Err(ServiceError::Invalid(closed(&client)));
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
            label: request.label,
            last_used_at: None,
            expiry_reported_at: None,
        };
        let audit = self.audit(
            self.actor.clone(),
            AuditAction::KeyIssued,
            &key.id,
            secret.hint(),
        );
        match self.store.create_key(key, audit).await? {
            Some(key) => Ok(IssuedKey { key, secret }),
            None => Err(ServiceError::NotFound(format!("client {}", request.client))),
        }
    }

    /// Gives a key a new secret; the old one stays valid for `overlap`.
    ///
    /// The overlap is at most 30 days, and never exceeds the expiry of the old secret. Without an overlap, a rotation
    /// reinstates a revoked key.
    pub async fn rotate_key(
        &self,
        id: KeyId,
        overlap: Duration,
        reason: Option<&str>,
    ) -> Result<IssuedKey, ServiceError> {
        let reason = optional_reason("a rotation", reason)?;
        if overlap > MAX_ROTATION_OVERLAP {
            return Err(ServiceError::Invalid(
                "the overlap of a rotation is at most 30 days".into(),
            ));
        }
        let key = self.find_key(id).await?;
        self.admit_rotation(&key, overlap).await?;
        let secret = self.draw_secret(key.environment);
        let (change, action, detail) = self.rotation(&key, &secret, overlap);
        let audit = self.audit(self.actor.clone(), action, &id, with_reason(detail, reason));
        match self.store.change_key(id, change, audit).await? {
            Some(key) if key.revoked_at.is_some() => Err(ServiceError::Invalid(format!(
                "key {id} was revoked meanwhile, and its new secret gives no access"
            ))),
            Some(key) => Ok(IssuedKey { key, secret }),
            None => Err(ServiceError::NotFound(format!("key {id}"))),
        }
    }

    /// Passes if a new secret of the key would be accepted.
    async fn admit_rotation(&self, key: &Key, overlap: Duration) -> Result<(), ServiceError> {
        let id = key.id;
        let client = self.find_client(&key.client.to_string()).await?;
        let message = if client.status == ClientStatus::Closed {
            closed(&client)
        } else if let Some(end) = key.expires_at.filter(|_| key.is_expired(self.now())) {
            format!(
                "key {id} expired at {end}, and a rotation never extends an expiry; issue a new key with `voight key create \
                 --client {}`, and move the contexts of this one to it with `voight key revoke {id} --move-contexts-to KEY_ID`",
                client.id
            )
        } else if key.revoked_at.is_some() && !overlap.is_zero() {
            format!(
                "key {id} is revoked; `voight key rotate --now {id}` gives it a new secret and makes it active again"
            )
        } else {
            return Ok(());
        };
        Err(ServiceError::Invalid(message))
    }

    /// Returns the change that gives `key` this secret, with its action and detail in the audit log.
    fn rotation(
        &self,
        key: &Key,
        secret: &ApiKey,
        overlap: Duration,
    ) -> (KeyChange, AuditAction, String) {
        let stored_secret = self.stored(secret);
        let hint = secret.hint();
        if let Some(at) = key.revoked_at {
            let detail = format!("{hint}, active again; it was revoked at {at}");
            return (
                KeyChange::Reinstate {
                    secret: stored_secret,
                },
                AuditAction::KeyReinstated,
                detail,
            );
        }
        let overlap_until = Some(overlap)
            .filter(|overlap| !overlap.is_zero())
            .map(|overlap| self.now().saturating_add(overlap));
        let detail = match overlap_until {
            Some(until) => format!("{hint}, old secret until {until}"),
            None => format!("{hint}, old secret ended at once"),
        };
        (
            KeyChange::Rotate {
                secret: stored_secret,
                overlap_until,
            },
            AuditAction::KeyRotated,
            detail,
        )
    }

    /// Returns the key with this id.
    pub async fn find_key(&self, id: KeyId) -> Result<Key, ServiceError> {
        self.store
            .key(id)
            .await?
            .ok_or_else(|| ServiceError::NotFound(format!("key {id}")))
    }

    /// Returns the keys of a client.
    pub async fn keys(&self, client: ClientId) -> Result<Vec<Key>, StoreError> {
        self.store.keys(client).await
    }

    /// Stores uses of keys.
    pub async fn store_key_uses(&self, uses: Vec<KeyUse>) -> Result<(), StoreError> {
        self.store.store_key_uses(uses).await
    }

    fn draw_secret(&self, environment: Environment) -> ApiKey {
        loop {
            if let Some(key) = ApiKey::generate(environment, &self.entropy.bytes()) {
                return key;
            }
        }
    }

    fn stored(&self, secret: &ApiKey) -> KeySecret {
        KeySecret {
            digest: self.secrets.key_digest(secret),
            hint: secret.hint(),
            valid_until: None,
        }
    }
}

/// Returns the error text for a closed client, which gets no key.
fn closed(client: &Client) -> String {
    format!(
        "client {:?} is permanently closed, and its keys give no access; create a new client",
        client.name.as_str()
    )
}
