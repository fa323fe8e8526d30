//! Authentication of requests and authorisation of their scope and network.

use super::RegistryService;
use crate::ports::StoreError;
use crate::registry::{Actor, AuditAction, ClientStatus, KeyWithClient};
use crate::secrets::KeyDigest;
use crate::vocabulary::{ApiKey, Scope};
use std::net::IpAddr;

/// Authentication error.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unauthorized {
    /// The key is malformed, unknown, revoked or expired; the client learns only that it is invalid.
    #[error("the API key is not valid")]
    InvalidKey,
    /// The store could not be read.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Authorisation error of a valid key, in the order of the validation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Denied {
    /// The caller's network is not in the key's list.
    #[error(
        "this key may not be used from this network; add the network to the key's list, or call from one that is on it"
    )]
    Network,
    /// The key lacks the scope.
    #[error("this key lacks the scope {0}; issue a key that has it")]
    Scope(Scope),
    /// The client is suspended.
    #[error("this client is suspended; ask the operator of the service")]
    Suspended,
    /// The client is closed.
    #[error("this client is closed: its keys still read usage and invoices, and do nothing else")]
    Closed,
}

impl RegistryService {
    /// Returns the API key in `text` with its client, and its digest.
    ///
    /// Later transactions confirm the key by the digest.
    pub async fn authenticate(
        &self,
        text: &str,
    ) -> Result<(KeyWithClient, KeyDigest), Unauthorized> {
        self.find_holder(self.key_digest(text)?).await
    }

    /// Authenticates the key with this [digest](Self::key_digest) from the cache, for a request whose transaction
    /// confirms the key.
    ///
    /// A cached key that is accepted and passes `is_admitted` needs no query. No request is rejected because of cached
    /// data: any other result is read from the store.
    pub async fn authenticate_cached(
        &self,
        digest: KeyDigest,
        is_admitted: impl FnOnce(&KeyWithClient) -> bool,
    ) -> Result<(KeyWithClient, KeyDigest), Unauthorized> {
        match self.store.cached_key_by_digest(digest) {
            Some(holder) if holder.key.accepts(digest, self.now()) && is_admitted(&holder) => {
                Ok((holder, digest))
            }
            _ => self.find_holder(digest).await,
        }
    }

    /// Returns the digest of the API key in `text`. Fails if the text is not an API key.
    pub fn key_digest(&self, text: &str) -> Result<KeyDigest, Unauthorized> {
        let key: ApiKey = text.parse().map_err(|_| Unauthorized::InvalidKey)?;
        Ok(self.secrets.key_digest(&key))
    }

    async fn find_holder(
        &self,
        digest: KeyDigest,
    ) -> Result<(KeyWithClient, KeyDigest), Unauthorized> {
        match self.store.key_by_digest(digest).await? {
            Some(holder) if holder.key.accepts(digest, self.now()) => Ok((holder, digest)),
            _ => Err(Unauthorized::InvalidKey),
        }
    }

    /// Writes to the audit log that a browser sent a secret key: the key is exposed in a page.
    pub async fn audit_exposed_key(&self, holder: &KeyWithClient) -> Result<(), StoreError> {
        let detail =
            "the key was sent by a browser: it is readable in a page; rotate it with overlap 0";
        let entry = self.audit(
            Actor::Key(holder.key.id),
            AuditAction::KeyExposed,
            &holder.key.id,
            detail,
        );
        self.store.append_audit(entry).await
    }
}

impl KeyWithClient {
    /// Passes if the key may be used from this network.
    pub fn authorise_network(&self, ip: IpAddr) -> Result<(), Denied> {
        let networks = &self.key.networks;
        let ip = ip.to_canonical();
        if networks.is_empty() || networks.iter().any(|network| network.contains(&ip)) {
            Ok(())
        } else {
            Err(Denied::Network)
        }
    }

    /// Passes if the key has the scope and its client may use it. A closed client can still read its usage and its
    /// invoices.
    pub fn authorise_scope(&self, scope: Scope) -> Result<(), Denied> {
        if !self.key.scopes.allows(scope) {
            return Err(Denied::Scope(scope));
        }
        match self.client.status {
            ClientStatus::Active => Ok(()),
            ClientStatus::Closed if scope == Scope::UsageRead => Ok(()),
            ClientStatus::Closed => Err(Denied::Closed),
            ClientStatus::Suspended => Err(Denied::Suspended),
        }
    }
}
