//! Clusters of wallets.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Addresses to add to wallet clusters.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ClusterImport {
    /// Addresses with their clusters.
    pub members: Vec<ClusterMember>,
}

/// Address in a cluster.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ClusterMember {
    /// Ethereum address.
    pub address: String,
    /// Cluster name, chosen by the operator.
    pub cluster: String,
}

/// Result of an import of clusters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ClusterImported {
    /// Number of addresses.
    pub addresses: usize,
    /// Number of clusters.
    pub clusters: usize,
}
