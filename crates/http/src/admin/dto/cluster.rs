//! Clusters of wallets.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Addresses to put into clusters.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ClusterImport {
    /// Each address, with its cluster.
    pub members: Vec<ClusterMember>,
}

/// An address in a cluster.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ClusterMember {
    /// The address.
    pub address: String,
    /// What the operator calls the cluster.
    pub cluster: String,
}

/// What was put where.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ClusterImported {
    /// How many addresses.
    pub addresses: usize,
    /// Into how many clusters.
    pub clusters: usize,
}
