//! Port of account linkage: data that conclusions leave for it, and clusters that operators add.

use super::StoreError;
use crate::linkage::{Cluster, ClusterKey, FingerprintIndex};
use crate::registry::AuditEntry;
use crate::secrets::AddressDigest;
use crate::vocabulary::ContextId;
use async_trait::async_trait;

/// Stores the movement fingerprints and clusters of contexts.
///
/// [`CheckStore::conclude`](super::CheckStore::conclude) reads and writes them in its transaction; this port returns
/// them for display.
///
/// - `traces_are_kept`: the fingerprints of a completed check link later checks of other addresses that present them.
/// - `index_is_bounded`: an index never holds more checks of an address than
///   [`OWNER_QUOTA`](crate::linkage::OWNER_QUOTA), of a network than [`NETWORK_QUOTA`](crate::linkage::NETWORK_QUOTA), and
///   in total than [`INDEX_PAGES`](crate::linkage::INDEX_PAGES) pages of [`PAGE_CHECKS`](crate::linkage::PAGE_CHECKS).
/// - `links_stay_in_their_context`: fingerprints and clusters of one context link no address in another.
/// - `clusters_only_grow`: a member stays, with the time at which it was first seen, whatever checks follow and in
///   whichever order.
/// - `over_limit_is_decided_in_the_step`: of addresses that are concluded concurrently on one device, exactly those
///   beyond the limit are flagged, where the context flags them.
#[async_trait]
pub trait LinkStore: Send + Sync {
    /// Returns the fingerprint index of a context.
    async fn traces(&self, context: &ContextId) -> Result<FingerprintIndex, StoreError>;

    /// Returns a cluster of a context, if it has a member.
    async fn cluster(
        &self,
        context: &ContextId,
        key: ClusterKey,
    ) -> Result<Option<Cluster>, StoreError>;

    /// Assigns addresses, by their digests in the context, to clusters of an operator.
    ///
    /// The assignments and the audit entry are written in one transaction. An address moves from its previous cluster
    /// of an operator; it stays a member of that one while that membership is stored.
    ///
    /// - `assigned_addresses_are_members`: from its next completed check on, an address is a member of its cluster.
    async fn assign(
        &self,
        context: &ContextId,
        members: Vec<(AddressDigest, ClusterKey)>,
        audit: AuditEntry,
    ) -> Result<(), StoreError>;
}
