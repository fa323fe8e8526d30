//! What conclusions have left for links, and what operators add.

use super::StoreError;
use crate::links::{Cluster, ClusterKey, FingerprintIndex};
use crate::registry::AuditEntry;
use crate::secrets::AddressDigest;
use crate::vocabulary::ContextId;
use async_trait::async_trait;

/// Keeps the traces and clusters of contexts. They are read and written by
/// [`CheckStore::conclude`](super::CheckStore::conclude), in its step; here they are only shown.
///
/// - `traces_are_kept`: the traces of a completed check link the checks of other addresses that present them from then on.
/// - `index_is_bounded`: an index never holds more checks of an address than [`OWNER_QUOTA`](crate::links::OWNER_QUOTA), of a
///   network than [`NETWORK_QUOTA`](crate::links::NETWORK_QUOTA), and altogether than [`INDEX_PAGES`](crate::links::INDEX_PAGES)
///   pages of [`PAGE_CHECKS`](crate::links::PAGE_CHECKS).
/// - `links_stay_in_their_context`: traces and clusters of one context link nobody in another.
/// - `clusters_only_grow`: a member stays, first seen when it was first seen, whatever checks follow and in whichever order.
/// - `over_limit_is_decided_in_the_step`: of addresses that are concluded at the same time on one device, exactly those
///   beyond the limit are flagged, where the context flags them.
#[async_trait]
pub trait LinkStore: Send + Sync {
    /// The index of traces of a context.
    async fn traces(&self, context: &ContextId) -> Result<FingerprintIndex, StoreError>;

    /// A cluster of a context, if anybody was seen in it.
    async fn cluster(&self, context: &ContextId, key: ClusterKey) -> Result<Option<Cluster>, StoreError>;

    /// Puts addresses, by the digests that stand for them in the context, into clusters of an operator, with the audit entry, in
    /// one step. An address that was in another one changes over; it stays a member of that for as long as it is remembered there.
    ///
    /// - `assigned_addresses_are_members`: from its next completed check on, an address is a member of its cluster.
    async fn assign(
        &self,
        context: &ContextId,
        members: Vec<(AddressDigest, ClusterKey)>,
        audit: AuditEntry,
    ) -> Result<(), StoreError>;
}
