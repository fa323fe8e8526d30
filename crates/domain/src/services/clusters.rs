//! Import of wallet clusters from an external source.

use super::{OperatorService, ServiceError};
use crate::registry::AuditAction;
use crate::vocabulary::{ContextId, EoaAddress};
use std::collections::{BTreeMap, BTreeSet};

/// Maximum number of addresses of one import, which is stored in one transaction.
pub const MAX_IMPORT: usize = 10_000;
/// Maximum number of characters of a cluster's name.
const NAME_MAX: usize = 128;

impl OperatorService {
    /// Assigns addresses to the operator's clusters of a context, all or none of them.
    ///
    /// Returns the numbers of addresses and clusters. The import is audited. Only digests of the addresses are stored.
    /// From its next completed check on, an address has a rank in its cluster, which is compared with the limit of the
    /// context.
    pub async fn import_clusters(
        &self,
        context: &ContextId,
        members: &[(EoaAddress, String)],
    ) -> Result<(usize, usize), ServiceError> {
        validate(members)?;
        let context = self.context(context).await?;
        if context.environment.is_test() {
            let message = "a sandbox context evaluates no checks, so no clusters can be imported";
            return Err(ServiceError::Invalid(message.into()));
        }
        let clusters = members
            .iter()
            .map(|(_, name)| name)
            .collect::<BTreeSet<_>>()
            .len();
        let digests = members.iter().map(|(address, name)| {
            (
                self.secrets.address_digest(&context.id, address),
                self.secrets.operator_cluster(&context.id, name),
            )
        });
        let detail = format!("{} addresses in {clusters} clusters", members.len());
        let audit = self.audit(AuditAction::ClusterImported, &context.id, detail);
        self.store
            .assign(&context.id, digests.collect(), audit)
            .await?;
        Ok((members.len(), clusters))
    }
}

/// Passes if the import is valid.
///
/// The number of addresses is within the bounds, each address is in one cluster, and each cluster has a name.
fn validate(members: &[(EoaAddress, String)]) -> Result<(), ServiceError> {
    let invalid = |why: String| Err(ServiceError::Invalid(why));
    if members.is_empty() || members.len() > MAX_IMPORT {
        return invalid(format!(
            "{} addresses; one call takes 1 to {MAX_IMPORT}",
            members.len()
        ));
    }
    let mut names_by_address = BTreeMap::new();
    for (address, name) in members {
        if name.trim().is_empty() || name.chars().nth(NAME_MAX).is_some() {
            return invalid(format!(
                "the name of the cluster of {address} must have 1 to {NAME_MAX} characters"
            ));
        }
        if names_by_address
            .insert(address.as_bytes(), name)
            .is_some_and(|previous_name| previous_name != name)
        {
            return invalid(format!("{address} is in two clusters; leave it in one"));
        }
    }
    Ok(())
}
