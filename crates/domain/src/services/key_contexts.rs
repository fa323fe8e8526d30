//! Contexts and the keys that may use them: effects of a revocation, and moves to another key.

use super::reason::{optional_reason, with_reason};
use super::{RegistryService, ServiceError};
use crate::ports::{ContextFilter, StoreError};
use crate::registry::{
    AuditAction, Client, ClientStatus, Context, ContextAccess, ContextTransfer, Key, KeyChange,
    TransferOutcome, TransferRejection, TransferScope,
};
use crate::vocabulary::{ContextId, KeyId};

/// Request to revoke a key.
#[derive(Debug, Clone, Default)]
pub struct Revocation {
    /// The key that receives the contexts; without one the contexts are not moved.
    pub move_contexts_to: Option<KeyId>,
    /// The operator's reason.
    pub reason: Option<String>,
}

/// Context that the revocation of a key affects.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContextAtStake {
    /// The context.
    pub context: Context,
    /// `true` if an active key can use the context now, and none could after the revocation.
    pub becomes_unreachable: bool,
}

/// Context in which no active key can look up addresses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnreachableContext {
    /// The context.
    pub context: Context,
    /// The client of the context.
    pub client: Client,
}

impl RegistryService {
    /// Revokes a key: all its secrets become invalid immediately.
    ///
    /// A key in `move_contexts_to` receives the contexts in the same transaction. Returns the key and the number of
    /// moved contexts.
    pub async fn revoke_key(
        &self,
        id: KeyId,
        revocation: Revocation,
    ) -> Result<(Key, usize), ServiceError> {
        let reason = optional_reason("a revocation", revocation.reason.as_deref())?;
        if let Some(to) = revocation.move_contexts_to {
            let transfer = self
                .transfer(
                    TransferScope::RevokedKey(id),
                    to,
                    reason,
                    &format!("key {id}"),
                )
                .await?;
            return Ok((self.find_key(id).await?, transfer));
        }
        let audit = self.audit(
            self.actor.clone(),
            AuditAction::KeyRevoked,
            &id,
            with_reason(String::new(), reason),
        );
        let revoked_key = self
            .store
            .change_key(id, KeyChange::Revoke { at: self.now() }, audit)
            .await?;
        Ok((
            revoked_key.ok_or_else(|| ServiceError::NotFound(format!("key {id}")))?,
            0,
        ))
    }

    /// Moves a context to another key of its client. A repeat of the same move changes nothing.
    pub async fn move_context(
        &self,
        id: &ContextId,
        to: KeyId,
        reason: Option<&str>,
    ) -> Result<Context, ServiceError> {
        let reason = optional_reason("a move", reason)?;
        self.transfer(
            TransferScope::Context(id.clone()),
            to,
            reason,
            &format!("context {id}"),
        )
        .await?;
        self.find_context(id).await
    }

    async fn transfer(
        &self,
        scope: TransferScope,
        to: KeyId,
        reason: &str,
        source: &str,
    ) -> Result<usize, ServiceError> {
        let at = self.now();
        let actor = self.actor.clone();
        let reason = reason.to_owned();
        match self
            .store
            .transfer_contexts(ContextTransfer {
                scope,
                to,
                at,
                actor,
                reason,
            })
            .await?
        {
            TransferOutcome::Moved { contexts } => Ok(contexts),
            TransferOutcome::SourceUnknown => Err(ServiceError::NotFound(source.to_owned())),
            TransferOutcome::Rejected(TransferRejection::KeyUnknown(key)) => {
                Err(ServiceError::NotFound(format!("key {key}")))
            }
            TransferOutcome::Rejected(rejection) => {
                Err(ServiceError::Invalid(rejection.to_string()))
            }
        }
    }

    /// Returns the contexts that a revocation of a key affects.
    ///
    /// These are the contexts of the key, and contexts that no other key can use. Contexts that are not archived are
    /// first.
    pub async fn contexts_at_stake(&self, id: KeyId) -> Result<Vec<ContextAtStake>, ServiceError> {
        let key = self.find_key(id).await?;
        let now = self.now();
        let client = self.find_client(&key.client.to_string()).await?;
        let keys = self.store.keys(client.id).await?;
        let filter = match client.contexts {
            ContextAccess::RegisteringKey => ContextFilter::Key(id),
            ContextAccess::Client => ContextFilter::Client(client.id),
        };
        let is_open = client.status != ClientStatus::Closed;
        let mut contexts: Vec<_> = self
            .all_contexts(filter)
            .await?
            .into_iter()
            .filter_map(|context| {
                let reach = |without: Option<KeyId>| {
                    let keys = keys.iter().filter(|key| Some(key.id) != without);
                    context.is_reachable(client.contexts, keys, now)
                };
                let becomes_unreachable = is_open && reach(None) && !reach(Some(id));
                (becomes_unreachable || context.key == id).then_some(ContextAtStake {
                    context,
                    becomes_unreachable,
                })
            })
            .collect();
        contexts.sort_by_key(|at_stake| at_stake.context.archived_at.is_some());
        Ok(contexts)
    }

    /// Returns the first `limit` contexts in which no active key can look up addresses.
    ///
    /// Archived contexts and contexts of closed clients are not included.
    pub async fn unreachable_contexts(
        &self,
        limit: usize,
    ) -> Result<Vec<UnreachableContext>, StoreError> {
        let now = self.now();
        let mut unreachable_contexts = Vec::new();
        for client in self
            .all_clients()
            .await?
            .iter()
            .filter(|client| client.status != ClientStatus::Closed)
        {
            let keys = self.store.keys(client.id).await?;
            let is_lost = |context: &Context| {
                context.archived_at.is_none() && !context.is_reachable(client.contexts, &keys, now)
            };
            let contexts = self
                .all_contexts(ContextFilter::Client(client.id))
                .await?
                .into_iter()
                .filter(is_lost);
            unreachable_contexts.extend(contexts.map(|context| UnreachableContext {
                context,
                client: client.clone(),
            }));
            if unreachable_contexts.len() >= limit {
                break;
            }
        }
        unreachable_contexts.truncate(limit);
        Ok(unreachable_contexts)
    }
}
