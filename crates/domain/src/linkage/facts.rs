//! Link data that a store reads and writes.

use super::{Cluster, ClusterKey, FingerprintIndex, FingerprintPage};
use std::collections::BTreeMap;

/// Facts that a store has read inside its write transaction. The pages are not needed for a check without fingerprints.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LinkFacts {
    /// The fingerprint index of the context.
    pub pages: FingerprintIndex,
    /// The operator's cluster to which the address is assigned.
    pub assigned: Option<ClusterKey>,
    /// The clusters of the check that have members, the assigned one included.
    pub clusters: BTreeMap<ClusterKey, Cluster>,
}

/// Link data that a store writes with the conclusion.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LinkWrite {
    /// The changed page of the index, with its number.
    pub page: Option<(u16, FingerprintPage)>,
    /// The changed clusters.
    pub clusters: Vec<(ClusterKey, Cluster)>,
}
