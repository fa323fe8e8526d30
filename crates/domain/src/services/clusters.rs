//! Clusters of wallets that an operator knows of.

use super::{OperatorService, ServiceError};
use crate::registry::{AuditAction, AuditEntry};
use crate::vocabulary::{ContextId, EoaAddress};
use std::collections::{BTreeMap, BTreeSet};

/// The most addresses that one call puts into clusters: they are kept in one step.
pub const MAX_IMPORT: usize = 10_000;
/// The most characters of a cluster's name.
const NAME_MAX: usize = 128;

impl OperatorService {
    /// Puts addresses into the operator's clusters of a context, all or none of them, audited; returns how many addresses and
    /// clusters. Only digests of them are kept.
    ///
    /// From its next completed check on, an address has a rank in its cluster, which the context's limit is held against.
    pub async fn import_clusters(
        &self,
        context: &ContextId,
        members: &[(EoaAddress, String)],
    ) -> Result<(usize, usize), ServiceError> {
        validate(members)?;
        let context = self.context(context).await?;
        if context.environment.is_test() {
            let why = "a sandbox context judges no checks; there is nothing to link";
            return Err(ServiceError::Invalid(why.into()));
        }
        let clusters = members.iter().map(|(_, name)| name).collect::<BTreeSet<_>>().len();
        let digests = members.iter().map(|(address, name)| {
            (self.secrets.address_digest(&context.id, address), self.secrets.operator_cluster(&context.id, name))
        });
        let audit = AuditEntry {
            at: self.clock.now(),
            actor: self.actor.clone(),
            action: AuditAction::ClusterImported,
            subject: context.id.to_string(),
            detail: format!("{} addresses in {clusters} clusters", members.len()),
        };
        self.store.assign(&context.id, digests.collect(), audit).await?;
        Ok((members.len(), clusters))
    }
}

/// Passes if there are some, not too many, each address is in one cluster, and each cluster has a name.
fn validate(members: &[(EoaAddress, String)]) -> Result<(), ServiceError> {
    let invalid = |why: String| Err(ServiceError::Invalid(why));
    if members.is_empty() || members.len() > MAX_IMPORT {
        return invalid(format!("{} addresses; one call takes 1 to {MAX_IMPORT}", members.len()));
    }
    let mut known = BTreeMap::new();
    for (address, name) in members {
        if name.trim().is_empty() || name.chars().nth(NAME_MAX).is_some() {
            return invalid(format!("the name of the cluster of {address} must have 1 to {NAME_MAX} characters"));
        }
        if known.insert(address.as_bytes(), name).is_some_and(|before| before != name) {
            return invalid(format!("{address} is in two clusters; leave it in one"));
        }
    }
    Ok(())
}
