//! Who a request comes from, and whether it may do what it asks.

use super::RegistryService;
use crate::ports::StoreError;
use crate::registry::{Actor, AuditAction, ClientStatus, KeyWithClient};
use crate::secrets::KeyDigest;
use crate::vocabulary::{ApiKey, Scope};
use std::net::IpAddr;

/// Why a request carries no valid key.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unauthorized {
    /// Malformed, unknown, revoked or expired; callers are told only that it is bad.
    #[error("the API key is not valid")]
    InvalidKey,
    /// The store could not be asked.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Why a valid key may not do what it asks, in the order in which it is checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Denied {
    /// The caller's network is not on the key's list.
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
    /// The holder of the API key in `text`, and the digest by which later steps confirm it.
    pub async fn authenticate(&self, text: &str) -> Result<(KeyWithClient, KeyDigest), Unauthorized> {
        self.find_holder(self.digest(text)?).await
    }

    /// The same for a request whose step confirms the key: a holder whom the store has known for a moment, and who `is_admitted`, is
    /// not asked for again. Nobody is refused by what was known.
    pub async fn authenticate_cached(
        &self,
        text: &str,
        is_admitted: impl FnOnce(&KeyWithClient) -> bool,
    ) -> Result<(KeyWithClient, KeyDigest), Unauthorized> {
        let digest = self.digest(text)?;
        match self.store.cached_key_by_digest(digest) {
            Some(holder) if holder.key.accepts(digest, self.now()) && is_admitted(&holder) => Ok((holder, digest)),
            _ => self.find_holder(digest).await,
        }
    }

    fn digest(&self, text: &str) -> Result<KeyDigest, Unauthorized> {
        let key: ApiKey = text.parse().map_err(|_| Unauthorized::InvalidKey)?;
        Ok(self.secrets.key_digest(&key))
    }

    async fn find_holder(&self, digest: KeyDigest) -> Result<(KeyWithClient, KeyDigest), Unauthorized> {
        match self.store.key_by_digest(digest).await? {
            Some(holder) if holder.key.accepts(digest, self.now()) => Ok((holder, digest)),
            _ => Err(Unauthorized::InvalidKey),
        }
    }

    /// Records that a secret key was sent by a browser: it has leaked into a page.
    pub async fn audit_exposed_key(&self, holder: &KeyWithClient) -> Result<(), StoreError> {
        let detail = "the key was sent by a browser: it is readable in a page; rotate it with overlap 0";
        let entry = self.audit(Actor::Key(holder.key.id), AuditAction::KeyExposed, &holder.key.id, detail);
        self.store.append_audit(entry).await
    }
}

impl KeyWithClient {
    /// Whether the key may be used from this network.
    pub fn authorise_network(&self, ip: IpAddr) -> Result<(), Denied> {
        let networks = &self.key.networks;
        let ip = ip.to_canonical();
        if networks.is_empty() || networks.iter().any(|network| network.contains(&ip)) {
            Ok(())
        } else {
            Err(Denied::Network)
        }
    }

    /// Passes if the key has the scope and its client may use it. A closed client still reads its usage and its invoices.
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
